/** Reads the list of files of a backup. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_LIST, FileEntry } from './manifest.ts';

/** Yields the files of a backup. Throws if the list is damaged. */
export async function* readFileList(folder: string): AsyncGenerator<FileEntry> {
  await using list = await open(join(folder, FILE_LIST));
  for await (const line of list.readLines({ autoClose: false })) yield FileEntry.parse(JSON.parse(line));
}
