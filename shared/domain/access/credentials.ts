import type { ClientSession } from 'mongoose';
import { Token } from '../../models/token.ts';
import { User } from '../../models/user.ts';
import { accessChanged } from './access.ts';

/** Part of a transaction: end every token of an account, bot or subscription, in every process within a second. */
export const tokensEnd = async (id_user: string, session: ClientSession): Promise<void> => {
  await Token.updateMany({ id_user, revokedAt: null }, { $set: { revokedAt: new Date() } }, { session });
  await accessChanged({ user: id_user }, session);
};

/** Part of the transaction that gives an account another password, as its hash: all its tokens end. */
export const setHash = async (id: string, password: string, session: ClientSession): Promise<void> => {
  await User.updateOne({ _id: id }, { $set: { password }, $inc: { epoch: 1 } }, { session });
  await tokensEnd(id, session);
};
