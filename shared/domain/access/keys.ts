/** The keys with which a project's own systems sign tokens of their users. At most 3 are in force. */
import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { ProjectKey } from '../../models/project-key.ts';
import { inTransaction } from '../../mongo.ts';
import { accessChanged } from './access.ts';

/** Each token of a project is verified with at most so many keys. */
const MAX_KEYS = 3;

interface KeyRequest {
  createdBy: string;
  /** Seconds for which tokens of the keys before stay in force. */
  overlap: number;
}

const lasting = (id_project: string, after = new Date()) => ({
  id_project,
  $or: [{ expiresAt: null }, { expiresAt: { $gt: after } }],
});

/** Part of the transaction: end the oldest keys, so that there is room for a new one. */
const makeRoom = async (id_project: string, session: ClientSession): Promise<void> => {
  const options = { session, sort: { _id: -1 }, skip: MAX_KEYS - 1 } as const;
  const surplus = await ProjectKey.find(lasting(id_project), { _id: 1 }, options).lean();
  const _id = { $in: surplus.map((key) => key._id) };
  if (surplus.length) await ProjectKey.deleteMany({ id_project, _id }, { session });
};

/** Make the project's key; its secret is answered this once. The keys before it end after the overlap, the oldest ones at once where 3 would be left. */
export const generate = async (id_project: string, { createdBy, overlap }: KeyRequest): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  const end = new Date(Date.now() + overlap * 1000);
  await inTransaction(async (session) => {
    await makeRoom(id_project, session);
    await ProjectKey.updateMany(lasting(id_project, end), { $set: { expiresAt: end } }, { session });
    await ProjectKey.create([{ id_project, secret, createdBy }], { session });
    await accessChanged({ project: id_project }, session);
  });
  return secret;
};

/** A key in force, and until when. */
export interface Key {
  secret: string;
  expiresAt?: Date | null;
}

/** The project's keys in force, the newest one first. */
export const inForce = (id_project: string): Promise<Key[]> =>
  ProjectKey.find(lasting(id_project), { secret: 1, expiresAt: 1 }).sort({ _id: -1 }).limit(MAX_KEYS).lean();
