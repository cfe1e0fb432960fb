/** Exports the data of a person: the records as one JSON file, and the bytes of the files. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors.ts';
import { StoredFile } from '../../models/stored-file.ts';
import { openStoredBytes } from '../../storage/storages.ts';
import { belongsTo } from './classify.ts';
import { findPerson } from './find-person.ts';
import { idsOf, type Person } from './person.ts';
import { type PersonalCollection, personalCollections, searchRecords } from './search-records.ts';

/** Fields that the export omits: those for internal use, and secrets. */
const INTERNAL_FIELDS = new Set([
  ...['password', 'epoch', 'secret', '_events', 'keywords', 'fullname_keywords', 'email_keywords', 'routing'],
  ...['ownerGuard', 'key', 'nextSweepAt', 'failedSweeps', '__v'],
]);
const RECORDS = 'records.json';
const FILES = 'files';

const visibleFields = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !INTERNAL_FIELDS.has(name)));

/** Yields the records of one collection that belong to the person, as lines of JSON. */
async function* recordLines(each: PersonalCollection, person: Person): AsyncGenerator<string> {
  const ids = idsOf(person);
  for await (const record of searchRecords(each, person))
    if (belongsTo(record, each.rule, { ids, asAuthor: true })) yield JSON.stringify(visibleFields(record));
}

const prepareFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [name] = await readdir(folder);
  if (name) throw new AppError(409, 'FOLDER_NOT_EMPTY', `${folder} contains ${name}. Choose an empty or a new folder.`);
};

/** Writes the bytes of each of the person's files to a file named after its id. Returns the number of files. */
const exportFiles = async (folder: string, { files }: Person): Promise<number> => {
  await mkdir(join(folder, FILES));
  let count = 0;
  for (const key of files) {
    const file = await StoredFile.findOne({ ...key, status: 'stored' }, { key: 1, name: 1 }).lean();
    const bytes = file && (await openStoredBytes(file.key));
    if (!file || !bytes) continue;
    const extension = /\.\w{1,10}$/.exec(file.name)?.[0] ?? '';
    await pipeline(bytes, createWriteStream(join(folder, FILES, `${key._id}${extension}`)));
    count += 1;
  }
  return count;
};

/**
 * Exports the data of a person into an empty folder: `records.json` with the records by collection, and a `files`
 * folder. `text` is an email address, an account id, or the id or `lead_id` of a lead. Returns the number of records by
 * collection, and the number of files. Errors: 404 for an unknown id, 409 for a folder that is not empty.
 */
export const exportPerson = async (
  text: string,
  folder: string,
  { project, onProgress }: { project?: string; onProgress(progress: { done: number; total: number }): void },
): Promise<{ counts: Record<string, number>; files: number }> => {
  const person = await findPerson(text, project);
  await prepareFolder(folder);
  const counts: Record<string, number> = {};
  const collections = personalCollections().filter(({ rule }) => rule.isExported);
  await using file = await open(join(folder, RECORDS), 'wx', 0o600);
  for (const [index, each] of collections.entries()) {
    const name = each.model.modelName;
    await file.appendFile(`${index ? ',\n' : '{\n'}${JSON.stringify(name)}: [`);
    let count = 0;
    for await (const line of recordLines(each, person)) await file.appendFile(`${count++ ? ',' : ''}\n${line}`);
    await file.appendFile(']');
    if (count) counts[name] = count;
    onProgress({ done: index + 1, total: collections.length });
  }
  await file.appendFile('\n}\n');
  return { counts, files: await exportFiles(folder, person) };
};
