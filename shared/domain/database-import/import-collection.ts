/**
 * Imports one collection in batches. The records of a batch and the position after it are written in one transaction,
 * so that an interrupted import continues after the last complete batch and counts every document once. Existing
 * records are never changed, and no events are emitted.
 */
import { inTransaction } from '../../database/connection.ts';
import { insertRecords } from '../../database/raw-write.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import type { Fields } from './fields.ts';
import type { ImportedDocument, ImportedModel, ImportTable, SortedBatch } from './import-table.ts';
import {
  addBatch,
  type CollectionImportOptions,
  type CollectionProgress,
  readProgress,
  reportFaults,
  saveProgress,
} from './progress.ts';
import { sortBatch } from './sort-batch.ts';

const DOCUMENTS_PER_BATCH = 1000;
const MAX_TRIES = 5;

/** Returns the records to insert, by model. */
const recordsOf = ({ model: ownModel }: ImportTable, imported: ImportedDocument[]): Map<ImportedModel, Fields[]> => {
  const records = new Map([[ownModel, imported.map(({ record }) => record)]]);
  for (const { model, record } of imported.flatMap(({ related }) => related))
    records.set(model, [...(records.get(model) ?? []), record]);
  return records;
};

/** Writes a batch and the position after it. Throws 409 if another process has advanced the position. */
const writeBatch = (
  table: ImportTable,
  batch: SortedBatch,
  { before, next }: { before: CollectionProgress; next: CollectionProgress },
): Promise<void> =>
  inTransaction(async (session) => {
    await saveProgress(before, next, { rejected: batch.rejected, session });
    for (const [model, records] of recordsOf(table, batch.imported))
      await insertRecords(model, records as never[], { session });
  });

/**
 * Imports a batch. If another process has just created one of its records, retries: `sortBatch` then finds the record.
 */
const importBatch = async (
  table: ImportTable,
  { documents, before }: { documents: Fields[]; before: CollectionProgress },
  options: CollectionImportOptions,
): Promise<CollectionProgress> => {
  for (let tries = 1; ; tries += 1) {
    const sorted = await sortBatch(table, documents, options);
    const next = addBatch(table, before, { ...sorted, documents });
    try {
      if (!options.dryRun) await writeBatch(table, sorted, { before, next });
      reportFaults(sorted.rejected, options);
      return next;
    } catch (error) {
      if (!isDuplicateKey(error) || tries === MAX_TRIES) throw error;
    }
  }
};

/** Imports a collection. Returns the total counts, which include those of earlier, interrupted imports. */
export const importCollection = async (
  table: ImportTable,
  options: CollectionImportOptions,
): Promise<CollectionProgress> => {
  const { source, name, onProgress } = options;
  let progress = await readProgress(table.model.modelName, options);
  const total = Math.max(await source.count(name), progress.read);
  const batches = source.batches(name, { after: progress.after, maxDocuments: DOCUMENTS_PER_BATCH });
  for await (const documents of batches) {
    progress = await importBatch(table, { documents, before: progress }, options);
    onProgress({ done: Math.min(progress.read, total), total });
  }
  onProgress({ done: total, total });
  return progress;
};
