/** Inserts entries into the changes log, and counts their bytes against the daily budgets of their projects. */
import { mongo } from 'mongoose';
import { addBytes } from '#shared/budgets/project-bytes.ts';
import { Change } from '#shared/models/change.ts';
import type { ChangeEntry } from './payloads.ts';

/**
 * Inserts entries in order, up to the first that MongoDB rejects, and throws its error. Only the bytes of inserted
 * entries are counted.
 */
export const insertEntries = async (entries: ChangeEntry[]): Promise<void> => {
  let inserted = entries.length;
  try {
    await Change.insertMany(entries, { ordered: true, lean: true });
  } catch (error) {
    inserted = error instanceof mongo.MongoBulkWriteError ? error.insertedCount : 0;
    throw error;
  } finally {
    for (const entry of entries.slice(0, inserted)) addBytes(entry.id_project, mongo.BSON.calculateObjectSize(entry));
  }
};
