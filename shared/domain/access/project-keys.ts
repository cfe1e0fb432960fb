/**
 * The keys that a project's own systems use to sign tokens for their users. At most 3 keys are active at the same time,
 * because each of them is tried when a token is verified.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { ProjectKey } from '../../models/project-key.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { recordAccessChange } from './access-changes.ts';

const MAX_KEYS = 3;

interface KeyRequest {
  createdBy: string;
  /** Seconds for which the previous keys stay active. */
  overlap: number;
}

const activeKeysFilter = (id_project: string, after = currentTime()) => ({
  id_project,
  $or: [{ expiresAt: null }, { expiresAt: { $gt: after } }],
});

/** Deletes the oldest active keys within the transaction, so that a new key does not exceed the limit. */
const deleteSurplusKeys = async (id_project: string, session: ClientSession): Promise<void> => {
  const options = { session, sort: { _id: -1 }, skip: MAX_KEYS - 1 } as const;
  const surplus = await ProjectKey.find(activeKeysFilter(id_project), { _id: 1 }, options).lean();
  const _id = { $in: surplus.map((key) => key._id) };
  if (surplus.length) await ProjectKey.deleteMany({ id_project, _id }, { session });
};

/**
 * Generates a key and returns its secret, which the API shows only once. The previous keys expire after `overlap`
 * seconds; the oldest ones are deleted immediately if more than 3 keys would be active.
 */
export const generate = async (id_project: string, { createdBy, overlap }: KeyRequest): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  const end = new Date(currentTimeMs() + overlap * 1000);
  await inTransaction(async (session) => {
    await deleteSurplusKeys(id_project, session);
    await ProjectKey.updateMany(activeKeysFilter(id_project, end), { $set: { expiresAt: end } }, { session });
    await ProjectKey.create([{ id_project, secret, createdBy }], { session });
    await recordAccessChange({ project: id_project }, session);
  });
  return secret;
};

/** The secret of an active key, and the time at which the key expires. */
export interface ProjectKeySecret {
  secret: string;
  expiresAt?: Date | null;
}

/** Returns the project's active keys, newest first. */
export const activeKeys = (id_project: string): Promise<ProjectKeySecret[]> =>
  ProjectKey.find(activeKeysFilter(id_project), { secret: 1, expiresAt: 1 }).sort({ _id: -1 }).limit(MAX_KEYS).lean();
