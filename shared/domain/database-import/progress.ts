/** The progress of an import, as it is stored and reported. */
import type { ClientSession } from 'mongoose';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError } from '../../errors.ts';
import { DatabaseImport } from '../../models/database-import.ts';
import { DatabaseImportFault } from '../../models/database-import-fault.ts';
import { countDroppedFields } from './convert-document.ts';
import type { Fields } from './fields.ts';
import type { ImportedDocument, ImportTable, SortedBatch } from './import-table.ts';
import type { Source } from '../../database/source-database.ts';

/** The progress of one collection, as it is stored and reported. */
export interface CollectionProgress {
  _id: string;
  source: string;
  collection_name: string;
  /** The position: the id of the last document that was read. */
  after?: unknown;
  read: number;
  imported: number;
  existing: number;
  expired: number;
  rejected: number;
  dropped_fields: Record<string, number>;
  adjusted: Record<string, number>;
}

/** A rejected document. */
export interface ImportFault {
  collection: string;
  record: string;
  reason: string;
}

/** How a collection is imported. */
export interface CollectionImportOptions {
  source: Source;
  /** The name of the collection in the source. */
  name: string;
  dryRun: boolean;
  /** Reads the collection from its beginning instead of after the last document that was read. */
  all: boolean;
  onProgress(progress: { done: number; total: number }): void;
  onFault(fault: ImportFault): void;
}

/** The projection of `CollectionProgress`. */
const PROGRESS_FIELDS = {
  ...{ source: 1, collection_name: 1, after: 1, read: 1, imported: 1, existing: 1, expired: 1, rejected: 1 },
  ...{ dropped_fields: 1, adjusted: 1 },
} as const;

/** Returns the id of the progress record of a collection. */
export const progressId = (source: Source, collection: string): string => `${source.id} ${collection}`;

/**
 * Returns the progress of earlier imports of a collection, and creates its record if there is none. A dry run always
 * starts at the beginning, and so does an import of all documents.
 */
export const readProgress = async (
  collection: string,
  { source, name, dryRun, all }: CollectionImportOptions,
): Promise<CollectionProgress> => {
  const _id = progressId(source, collection);
  const initial = { _id, source: source.address, collection_name: name };
  const counts = { read: 0, imported: 0, existing: 0, expired: 0, rejected: 0, dropped_fields: {}, adjusted: {} };
  if (dryRun) return { ...initial, ...counts };
  if (all) {
    await DatabaseImport.deleteOne({ _id });
    await DatabaseImportFault.deleteMany({ import: _id });
  }
  const stored = await DatabaseImport.findOne({ _id }, PROGRESS_FIELDS).lean();
  if (!stored) await insertIfAbsent(() => DatabaseImport.create([{ ...initial, ...counts }]));
  return stored ?? { ...initial, ...counts };
};

const runningError = () =>
  new AppError(409, 'IMPORT_RUNNING', 'Another process is importing from this source; wait until it has ended');

const faultsOf = ({ _id: owner }: CollectionProgress, rejected: ImportedDocument[]) =>
  rejected.map(({ id, rejection = '' }) => ({ _id: `${owner} ${id}`, import: owner, record: id, reason: rejection }));

/**
 * Stores the progress and the rejected documents of a batch, in the transaction that writes its records. Throws 409 if
 * another process has advanced the position.
 */
export const saveProgress = async (
  before: CollectionProgress,
  { _id, ...next }: CollectionProgress,
  { rejected, session }: { rejected: ImportedDocument[]; session: ClientSession },
): Promise<void> => {
  const position = { _id, after: before.after ?? null };
  const { matchedCount } = await DatabaseImport.updateOne(position, { $set: next }, { session });
  if (!matchedCount) throw runningError();
  if (rejected.length) await DatabaseImportFault.insertMany(faultsOf(before, rejected), { session });
};

/** Reports rejected documents. */
export const reportFaults = (rejected: ImportedDocument[], { name, onFault }: CollectionImportOptions): void => {
  for (const { id, rejection = '' } of rejected) onFault({ collection: name, record: id, reason: rejection });
};

/** Adds a batch to the counts of a collection. */
export const addBatch = (
  table: ImportTable,
  progress: CollectionProgress,
  { documents, imported, rejected, existing, expired }: SortedBatch & { documents: Fields[] },
): CollectionProgress => {
  const next = {
    ...progress,
    after: documents.at(-1)?._id,
    read: progress.read + documents.length,
    imported: progress.imported + imported.length,
    existing: progress.existing + existing,
    expired: progress.expired + expired,
    rejected: progress.rejected + rejected.length,
    dropped_fields: { ...progress.dropped_fields },
    adjusted: { ...progress.adjusted },
  };
  for (const { document, adjustments } of imported) {
    countDroppedFields(table, document, next.dropped_fields);
    for (const reason of adjustments) next.adjusted[reason] = (next.adjusted[reason] ?? 0) + 1;
  }
  return next;
};
