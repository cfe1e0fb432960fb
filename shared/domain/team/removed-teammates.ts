/** A permanently deleted teammate loses its statistics: figures of this person count only what came later. */
import type { ClientSession } from 'mongoose';
import { RemovedTeammate } from '../../models/removed-teammate.ts';

/** Records that a person is deleted as a teammate, within the transaction that does so. */
export const recordTeammateRemoval = async (
  id_project: string,
  id_user: string,
  session: ClientSession,
): Promise<void> => {
  const removal = { $set: { removedAt: new Date() } };
  await RemovedTeammate.updateOne({ id_project, id_user }, removal, { session, upsert: true });
};

/** Returns when a person was deleted as a teammate; null if it never was. */
export const findTeammateRemoval = async (id_project: string, id_user: string): Promise<Date | null> =>
  (await RemovedTeammate.findOne({ id_project, id_user }, { removedAt: 1 }).lean())?.removedAt ?? null;
