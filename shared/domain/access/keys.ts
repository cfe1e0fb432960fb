/** The secret a project shares with its own systems, which sign their users' tokens with it (contract a 3.7). */
import { randomBytes } from 'node:crypto';
import { ProjectKey } from '../../models/project-key.ts';
import { inTransaction } from '../../mongo.ts';
import { accessChanged } from './access.ts';

interface Asked {
  createdBy: string;
  /** Seconds for which tokens of the keys before stay in force. */
  overlap: number;
}

/** Make the project's key; its secret is told this once. The keys before it end after the overlap, or sooner if they were to. */
export const generate = async (id_project: string, { createdBy, overlap }: Asked): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  const end = new Date(Date.now() + overlap * 1000);
  await inTransaction(async (session) => {
    const lasting = { id_project, $or: [{ expiresAt: null }, { expiresAt: { $gt: end } }] };
    await ProjectKey.updateMany(lasting, { $set: { expiresAt: end } }, { session });
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

/** The project's keys in force, the present one first. */
export const inForce = async (id_project: string): Promise<Key[]> => {
  const lasting = { id_project, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] };
  const keys = await ProjectKey.find(lasting, { secret: 1, expiresAt: 1 }).sort({ _id: -1 }).lean();
  return keys;
};
