/**
 * Records when teammates were permanently deleted. If such a person returns, their statistics include only records
 * created after the deletion.
 */
import type { ClientSession } from 'mongoose';
import { readMany } from '../../database/raw-read.ts';
import { RemovedTeammate } from '../../models/removed-teammate.ts';
import { currentTime } from '../../time/clock.ts';

/** Records, within the transaction that removes a person from the team permanently, when they were removed. */
export const recordTeammateRemoval = async (
  id_project: string,
  id_user: string,
  session: ClientSession,
): Promise<void> => {
  const removal = { $set: { removedAt: currentTime() } };
  await RemovedTeammate.updateOne({ id_project, id_user }, removal, { session, upsert: true });
};

/** Returns the time of a person's last permanent removal from the team; null if there was none. */
export const findTeammateRemoval = async (id_project: string, id_user: string): Promise<Date | null> =>
  (await RemovedTeammate.findOne({ id_project, id_user }, { removedAt: 1 }).lean())?.removedAt ?? null;

/** Returns the time of each teammate's last permanent removal from the project, keyed by user id. */
export const listTeammateRemovals = async (id_project: string): Promise<Map<string, Date>> => {
  const removals = await readMany(RemovedTeammate, { id_project }, { fields: { id_user: 1, removedAt: 1 } });
  return new Map(removals.map(({ id_user, removedAt }) => [id_user, removedAt]));
};
