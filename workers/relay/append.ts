/** Appending to the changes log in the order of commit: an entry is there only when all before it are. */
import { mongo } from 'mongoose';
import { Change } from '#shared/models/change.ts';
import type { Untold } from './decode.ts';
import { isOutage } from './outage.ts';
import type { Entry } from './payloads.ts';

const DUPLICATE = 11_000;

const insert = (entries: Entry[]) => Change.insertMany(entries, { ordered: true, lean: true });

const isDuplicate = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === DUPLICATE;

const unknownOf = async (entries: Entry[]): Promise<Entry[]> => {
  const known = await Change.find({ _id: { $in: entries.map(({ _id }) => _id) } }, { _id: 1 }, { anyProject: true });
  const ids = new Set(known.map(({ _id }) => _id));
  return entries.filter(({ _id }) => !ids.has(_id));
};

/** Each by itself, so that the one which can not be kept keeps nobody else out. */
const insertSingly = async (entries: Entry[]): Promise<Untold[]> => {
  const untold: Untold[] = [];
  for (const entry of entries) {
    try {
      await insert([entry]);
    } catch (error) {
      if (isOutage(error)) throw error;
      const { position, id_project, event, record } = entry;
      const known = { position, id_project, event, record };
      if (!isDuplicate(error)) untold.push({ ...known, code: 'NOT_KEPT', message: (error as Error).message });
    }
  }
  return untold;
};

/** Append these entries, but for those which the log has already; tells which it refuses. */
export const append = async (entries: Entry[]): Promise<Untold[]> => {
  if (!entries.length) return [];
  try {
    await insert(entries);
    return [];
  } catch (error) {
    if (isOutage(error)) throw error;
    // Two relays, or one that begins again: what came before the first duplicate is in.
    return insertSingly(await unknownOf(entries));
  }
};
