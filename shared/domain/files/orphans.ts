/** Finds the differences that a disk failure or a restored backup causes between the file records and the storages. */
import { StoredFile } from '../../models/stored-file.ts';
import type { FileStorage, StoredObject } from '../../storage/file-storage.ts';
import { storages } from '../../storage/storages.ts';
import { originalPath } from './file-names.ts';

const ROOT = 'uploads/';
const BATCH_SIZE = 500;

/** Bytes in a storage that belong to no record. */
export interface OrphanedObject extends StoredObject {
  storage: FileStorage;
}

const keysWithRecord = async (objects: StoredObject[]): Promise<Set<string>> => {
  const keys = objects.flatMap(({ key }) => [key, originalPath(key) ?? key]);
  const records = await StoredFile.find({ key: { $in: keys } }, { key: 1 }, { anyProject: true }).lean();
  return new Set(records.map(({ key }) => key));
};

const orphansAmong = async (storage: FileStorage, objects: StoredObject[]): Promise<OrphanedObject[]> => {
  const known = await keysWithRecord(objects);
  return objects
    .filter(({ key }) => !known.has(key) && !known.has(originalPath(key) ?? key))
    .map((object) => ({ ...object, storage }));
};

/** Finds, in all storages, the files and thumbnails that belong to no record. */
export async function* findOrphans(): AsyncGenerator<OrphanedObject> {
  for (const storage of storages) {
    let batch: StoredObject[] = [];
    for await (const object of storage.list(ROOT)) {
      batch.push(object);
      if (batch.length < BATCH_SIZE) continue;
      yield* await orphansAmong(storage, batch);
      batch = [];
    }
    yield* await orphansAmong(storage, batch);
  }
}

const isInSomeStorage = async (key: string): Promise<boolean> => {
  for (const storage of storages) if (await storage.has(key)) return true;
  return false;
};

/** Finds the stored files whose bytes are in no storage. */
export async function* findMissing(): AsyncGenerator<{ id_project: string; path: string }> {
  const fields = { id_project: 1, path: 1, key: 1 } as const;
  const files = StoredFile.find({ status: 'stored' }, fields, { anyProject: true }).lean().cursor();
  for await (const { id_project, path, key } of files) if (!(await isInSomeStorage(key))) yield { id_project, path };
}
