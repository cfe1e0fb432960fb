import type { ClientSession } from 'mongoose';
import { Token } from '../../models/token.ts';
import { User } from '../../models/user.ts';
import { accessChanged } from './access.ts';

/** Part of the transaction that gives an account another password, as its hash: all its tokens end, and what processes believe of the old one. */
export const setHash = async (id: string, password: string, session: ClientSession): Promise<void> => {
  await User.updateOne({ _id: id }, { $set: { password }, $inc: { epoch: 1 } }, { session });
  await Token.updateMany({ id_user: id, revokedAt: null }, { $set: { revokedAt: new Date() } }, { session });
  await accessChanged({ user: id }, session);
};
