/** Reads files that clients have uploaded to this system and use as sources of contents. */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { projectPrefix, requestedPath } from '../files/file-names.ts';
import { findFile, readFile } from '../files/read-file.ts';

/** The paths at which the API serves stored files. */
const FILE_PATHS = /\/files(\/download)?\/?$/;

/** A file with its media type. */
export interface UploadedFile {
  body: Uint8Array;
  contentType: string;
}

/** Returns the path of the project's stored file that a URL names; null for any other URL. */
const storedPath = (id_project: string, source: string): string | null => {
  const url = URL.parse(source);
  if (!url || !FILE_PATHS.test(url.pathname)) return null;
  const path = requestedPath(url.searchParams.get('path') ?? '');
  return path?.startsWith(projectPrefix(id_project)) ? path : null;
};

const tooLarge = (size: number) =>
  new AppError(
    422,
    'TOO_LARGE',
    `The file has ${size} bytes, more than ${config.KB_FILE_MAX_BYTES} (setting KB_FILE_MAX_BYTES); split it.`,
  );

/**
 * Reads the project's uploaded file that a URL names. The host of the URL is ignored. Returns null for any other
 * URL. Errors: 422 `FILE_NOT_FOUND` for an expired or deleted file, 422 `TOO_LARGE` for a file larger than
 * KB_FILE_MAX_BYTES.
 */
export const readUploadedFile = async (id_project: string, source: string): Promise<UploadedFile | null> => {
  const path = storedPath(id_project, source);
  if (!path) return null;
  const file = await findFile(path);
  if (!file || file.id_project !== id_project)
    throw new AppError(422, 'FILE_NOT_FOUND', 'The uploaded file has expired or was deleted; upload it again.');
  if (file.size > config.KB_FILE_MAX_BYTES) throw tooLarge(file.size);
  const pieces: Buffer[] = [];
  for await (const piece of await (await readFile(path)).open()) pieces.push(piece as Buffer);
  return { body: Buffer.concat(pieces), contentType: file.type };
};
