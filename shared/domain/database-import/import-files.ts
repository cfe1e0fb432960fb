/**
 * Imports the files of a GridFS bucket one by one. The bytes are stored before their record, under a key that depends
 * only on the file, so that an import that continues after an interruption overwrites them. Thumbnails are generated
 * again from their images.
 */
import { mongo, Types } from 'mongoose';
import { z } from 'zod';
import { inTransaction } from '../../database/connection.ts';
import { findExistingIds } from '../../database/raw-existing.ts';
import { insertRecords } from '../../database/raw-write.ts';
import { AppError } from '../../errors.ts';
import { StoredFile } from '../../models/stored-file.ts';
import { withTemporaryFolder } from '../../storage/incoming.ts';
import { primaryStorage } from '../../storage/storages.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { originalPath, requestedPath } from '../files/file-names.ts';
import { hasThumbnail, typeOfName } from '../files/file-types.ts';
import { addBytes } from '../files/usage.ts';
import { convertDocument } from './convert-document.ts';
import { type Fields, instanceFields, nonEmptyText, number, object, optional, time } from './fields.ts';
import { type FilePlace, placeFile } from './file-places.ts';
import type { ImportedDocument, ImportTable } from './import-table.ts';
import {
  addBatch,
  type CollectionImportOptions,
  type CollectionProgress,
  readProgress,
  reportFaults,
  saveProgress,
} from './progress.ts';
import { readSourceFile } from './read-source-file.ts';

/** The buckets of the imported database. `images` holds older uploads. */
export const FILE_BUCKETS = ['files', 'images'] as const;
type FileBucket = (typeof FILE_BUCKETS)[number];

const FILES_PER_READ = 100;
const THUMBNAIL_DELAY_MS = 60_000;
const THUMBNAIL_ADJUSTMENT = 'thumbnails are generated again from their images';

const table: ImportTable = {
  model: StoredFile,
  sources: FILE_BUCKETS,
  fields: z.object({
    ...instanceFields,
    filename: nonEmptyText(),
    uploadDate: optional(time()),
    length: number(),
    metadata: optional(object()),
  }),
  replaced: {
    chunkSize: 'the bytes are stored as a whole',
    md5: 'replaced by a SHA-256 hash',
    contentType: 'derived from the name',
    aliases: 'not used',
  },
};

/** A file to store. */
interface NewFile {
  document: ImportedDocument;
  path: string;
  name: string;
  place: FilePlace;
  expiresAt?: Date;
}

const expiryOf = ({ metadata }: Fields): Date | undefined => {
  const { expireAt } = (metadata ?? {}) as { expireAt?: unknown };
  return expireAt instanceof Date ? expireAt : undefined;
};

const replacedBy = async (bucket: FileBucket, { id, record }: ImportedDocument, options: CollectionImportOptions) => {
  const newer = { filename: record.filename, _id: { $gt: new Types.ObjectId(id) } };
  const [found] = await options.source.find(`${bucket}.files`, newer, { projection: { _id: 1 }, limit: 1 });
  return found && String(found._id);
};

/** Returns the file to store. If there is none, sets the rejection of the document and returns null. */
const planFile = async (
  bucket: FileBucket,
  document: ImportedDocument,
  options: CollectionImportOptions,
): Promise<NewFile | null> => {
  const path = requestedPath(document.record.filename as string);
  const expiresAt = expiryOf(document.record);
  const place = path === null ? null : await placeFile(path, { id: document.id, expires: expiresAt !== undefined });
  const newer = await replacedBy(bucket, document, options);
  if (path === null || !place) document.rejection = 'filename: not a valid file path';
  else if (newer) document.rejection = `filename: replaced by the file ${newer}`;
  else if (await StoredFile.exists({ path, status: 'stored' }).setOptions({ anyProject: true }))
    document.rejection = 'filename: another file has this path';
  else return { document, path, name: path.slice(path.lastIndexOf('/') + 1), place, expiresAt };
  return null;
};

const recordOf = (
  { document, path, name, place, expiresAt }: NewFile,
  file: { size: number; hash: string },
): Fields => {
  const { _id, uploadDate, createdAt } = document.record;
  const at = uploadDate ?? createdAt;
  const isImage = hasThumbnail(name);
  const nextSweepAt = isImage ? new Date(currentTimeMs() + THUMBNAIL_DELAY_MS) : expiresAt;
  return {
    _id,
    ...place,
    ...{ status: 'stored', path, name, type: typeOfName(name), size: file.size, hash: file.hash },
    ...(isImage && { thumbnail: { status: 'pending' } }),
    ...(expiresAt && { expiresAt }),
    ...(nextSweepAt && { nextSweepAt }),
    ...{ createdAt: at, updatedAt: at, __v: 0 },
  };
};

/** Stores the bytes of a file, and returns its record; sets a rejection if they are incomplete or not accepted. */
const storeBytes = (
  bucket: FileBucket,
  file: NewFile,
  { source }: CollectionImportOptions,
): Promise<Fields | undefined> =>
  withTemporaryFolder(async (folder) => {
    const type = typeOfName(file.name);
    try {
      const local = await readSourceFile(source, { bucket, file: file.document.document._id, type }, folder);
      const record = recordOf(file, local);
      await primaryStorage.put(file.place.key, { path: local.path, size: local.size, type });
      return record;
    } catch (error) {
      const isMissing = error instanceof mongo.MongoRuntimeError || error instanceof mongo.MongoGridFSChunkError;
      if (!isMissing && !(error instanceof AppError && error.status === 403)) throw error;
      file.document.rejection = isMissing ? 'the bytes of the file are incomplete' : error.message;
      return undefined;
    }
  });

const isThumbnail = (document: ImportedDocument): boolean =>
  originalPath((document.record.filename as string | undefined) ?? '') !== null;

/** Imports one file, and returns the progress after it. */
const importFile = async (
  bucket: FileBucket,
  { document, before, isKnown }: { document: ImportedDocument; before: CollectionProgress; isKnown: boolean },
  options: CollectionImportOptions,
): Promise<CollectionProgress> => {
  const expired = (expiryOf(document.record)?.getTime() ?? Number.POSITIVE_INFINITY) <= currentTimeMs();
  const isSkipped = isKnown || expired || isThumbnail(document) || document.rejection !== undefined;
  const file = isSkipped ? null : await planFile(bucket, document, options);
  const record = file && !options.dryRun ? await storeBytes(bucket, file, options) : undefined;
  const rejected = document.rejection ? [document] : [];
  const imported = file && !document.rejection ? [document] : [];
  const counts = { existing: Number(isKnown), expired: Number(!isKnown && expired) };
  const next = addBatch(table, before, { documents: [document.document], imported, rejected, ...counts });
  if (isThumbnail(document)) next.adjusted[THUMBNAIL_ADJUSTMENT] = (next.adjusted[THUMBNAIL_ADJUSTMENT] ?? 0) + 1;
  if (!options.dryRun)
    await inTransaction(async (session) => {
      await saveProgress(before, next, { rejected, session });
      if (!record) return;
      await insertRecords(StoredFile, [record as never], { session });
      await addBytes(record as unknown as Parameters<typeof addBytes>[0], session);
    });
  reportFaults(rejected, options);
  return next;
};

/** Imports a bucket. Returns, for the report, `table`, the collection name and the counts of all imports so far. */
export const importFiles = async (
  bucket: FileBucket,
  options: CollectionImportOptions,
): Promise<[ImportTable, string, CollectionProgress]> => {
  const { source, name, onProgress } = options;
  let progress = await readProgress(name, options);
  const total = Math.max(await source.count(name), progress.read);
  const batches = source.batches(name, { after: progress.after, maxDocuments: FILES_PER_READ });
  for await (const documents of batches) {
    const batch = documents.map((document) => convertDocument(table, document));
    const known = await findExistingIds(
      StoredFile,
      batch.filter(({ rejection }) => !rejection).map(({ id }) => id),
    );
    for (const document of batch) {
      progress = await importFile(bucket, { document, before: progress, isKnown: known.has(document.id) }, options);
      onProgress({ done: Math.min(progress.read, total), total });
    }
  }
  onProgress({ done: total, total });
  return [table, name, progress];
};
