/** Appends entries to the changes log in commit order: an entry is stored only after all earlier entries. */
import { mongo } from 'mongoose';
import type { UndeliverableEvent } from '#shared/domain/events/dead-letters.ts';
import { Change } from '#shared/models/change.ts';
import { insertEntries } from './insert-entries.ts';
import type { ChangeEntry } from './payloads.ts';
import { isTransientError } from './transient-errors.ts';

const DUPLICATE_KEY_CODE = 11_000;

const isDuplicate = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY_CODE;

const missingEntries = async (entries: ChangeEntry[]): Promise<ChangeEntry[]> => {
  const storedEntries = await Change.find(
    { _id: { $in: entries.map(({ _id }) => _id) } },
    { _id: 1 },
    { anyProject: true },
  );
  const ids = new Set(storedEntries.map(({ _id }) => _id));
  return entries.filter(({ _id }) => !ids.has(_id));
};

/** Inserts entries one by one, so that a rejected entry does not block the others. Returns the rejected ones. */
const insertOneByOne = async (entries: ChangeEntry[]): Promise<UndeliverableEvent[]> => {
  const undeliverable: UndeliverableEvent[] = [];
  for (const entry of entries) {
    try {
      await insertEntries([entry]);
    } catch (error) {
      if (isTransientError(error)) throw error;
      const { position, id_project, event, record } = entry;
      const eventFields = { position, id_project, event, record };
      if (!isDuplicate(error))
        undeliverable.push({ ...eventFields, code: 'APPEND_REJECTED', message: (error as Error).message });
    }
  }
  return undeliverable;
};

/**
 * Appends entries, skipping those already in the log. Returns the entries that MongoDB rejects. Throws transient
 * errors.
 */
export const appendEntries = async (entries: ChangeEntry[]): Promise<UndeliverableEvent[]> => {
  if (!entries.length) return [];
  try {
    await insertEntries(entries);
    return [];
  } catch (error) {
    if (isTransientError(error)) throw error;
    // Another relay or an earlier attempt has appended some entries. Those before the first error are stored.
    return insertOneByOne(await missingEntries(entries));
  }
};
