/**
 * Access that ends or changes, told to every API process. These believe what they once read of accounts, tokens and
 * memberships, so that no request reads it again; each follows the changes and forgets what they are about (design 8).
 */
import { type ClientSession, Types } from 'mongoose';
import { AccessChange } from '../../models/access-change.ts';

/** What changed: a token, a membership, a principal (person, visitor, bot, subscription) as a whole, a project as a whole. */
export type Changed = { jti: string } | { user: string; project: string } | { user: string } | { project: string };

/** The name under which something is believed, and forgotten. */
export const nameOf = (changed: Changed): string => {
  if ('jti' in changed) return `token ${changed.jti}`;
  if (!('user' in changed)) return `project ${changed.project}`;
  return 'project' in changed ? `member ${changed.project} ${changed.user}` : `user ${changed.user}`;
};

/** Part of each transaction that ends or changes somebody's access: it holds in every API process within a second after the commit. */
export const accessChanged = async (changed: Changed, session: ClientSession): Promise<void> => {
  await AccessChange.create([{ about: nameOf(changed) }], { session });
};

/** The longest transaction, and how far the clocks of two hosts may be apart. */
const OVERLAP_MS = 90_000;

/** A place from which changes are read on. */
export interface Place {
  /** Everything committed before this moment has been read, in milliseconds. */
  readTo: number;
  /** The changes that were read and may be read again, by the time they were. */
  seen: Map<string, number>;
}

/** The place of now. */
export const here = (): Place => ({ readTo: Date.now(), seen: new Map() });

/**
 * What changed since a place, and moves it on. Ids are made before their transaction commits, so their order is not
 * that of the commits: the last ones are read again each time.
 */
export const changesSince = async (place: Place, maxTimeMS: number): Promise<string[]> => {
  const begun = Date.now();
  const from = Types.ObjectId.createFromTime(Math.floor((place.readTo - OVERLAP_MS) / 1000));
  const read = await AccessChange.find({ _id: { $gte: from } }, { about: 1 }, { maxTimeMS }).lean();
  const fresh = read.filter(({ _id }) => !place.seen.has(String(_id)));
  for (const { _id } of fresh) place.seen.set(String(_id), begun);
  for (const [id, at] of place.seen) if (at < begun - 2 * OVERLAP_MS) place.seen.delete(id);
  place.readTo = begun;
  return fresh.map(({ about }) => about);
};
