/** Closes and deletes accounts. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { inTransaction } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { ACCOUNT_ACTIVE, User, UserView } from '../../models/user.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { emitAccountEvents } from '../access/account-events.ts';
import { deleteOneTimeTokens } from '../access/one-time-tokens.ts';
import { markAccountFiles } from '../files/remove-file.ts';
import { disableInTransaction } from '../projects/project-removal.ts';
import { trashInTransaction } from '../team/memberships.ts';
import { setPasswordHash } from './passwords.ts';

const CLOSED_STATUS = 0;
/** Stored instead of a hash; no password matches it. */
const NO_PASSWORD = '-';

interface Membership {
  _id: Types.ObjectId;
  id_project: string;
  role: string;
  status: string;
}

const hasOtherOwner = async ({ _id, id_project }: Membership, session: ClientSession): Promise<boolean> => {
  const other = { id_project, _id: { $ne: _id }, role: 'owner', ...ACTIVE_MEMBER };
  return Boolean(await ProjectUser.exists(other).session(session));
};

/**
 * Ends one membership: trashes it or, if the account is the only active owner, closes the project. If two owners leave
 * at the same time, each transaction writes to the other owner's record (in `trashInTransaction`), so one of these
 * transactions is retried and then finds no other owner.
 */
const leaveProject = async (membership: Membership, session: ClientSession): Promise<void> => {
  const { _id, id_project, role, status } = membership;
  const isOwner = role === 'owner' && status === 'active';
  if (isOwner && !(await hasOtherOwner(membership, session))) await disableInTransaction(id_project, session);
  else await trashInTransaction({ id_project, _id: String(_id) }, { kind: 'user', role }, session);
};

const leaveProjects = async (id_user: string, session: ClientSession): Promise<void> => {
  // The query covers all projects; the account's id restricts it.
  const options = { session, anyProject: true };
  const ownMemberships = { id_user, trashed: false };
  const fields = { id_project: 1, role: 1, status: 1 } as const;
  const memberships = await ProjectUser.find(ownMemberships, fields, options).lean<Membership[]>();
  for (const membership of memberships) await leaveProject(membership, session);
};

/** Removes all personal data from an account and frees its email address for a new account; emits `user.delete`. */
const anonymize = async (id: string, session: ClientSession): Promise<void> => {
  const placeholders = { email: `${randomUUID()}@deleted.invalid`, firstname: 'Deleted', lastname: 'account' };
  const $unset = { attributes: 1, description: 1, public_email: 1, public_website: 1, phone: 1 };
  const $set = { ...placeholders, emailverified: false, status: CLOSED_STATUS };
  await User.updateOne({ _id: id }, { $set, $unset }, { session });
  await emitAccountEvents(id, emits('user.delete'), { session });
};

/** Throws 404 for a visitor, and for a closed account, such as one that a concurrent call has just closed. */
const assertOpen = async (id: string, session: ClientSession): Promise<void> => {
  const isOpen = isId(id) && (await User.exists({ _id: id, status: ACCOUNT_ACTIVE }).session(session));
  if (!isOpen) throw notFound('User not found');
};

const endAccount = async (id: string, session: ClientSession): Promise<void> => {
  await assertOpen(id, session);
  await leaveProjects(id, session);
  await deleteOneTimeTokens(id, session);
  await markAccountFiles(id, session);
  await setPasswordHash(id, NO_PASSWORD, session);
  await anonymize(id, session);
};

/**
 * Closes an account, and the projects in which it is the only active owner. Returns the anonymized account.
 * Errors: 404 for an unknown account.
 */
export const closeAccount = async (id: string) => {
  await inTransaction((session) => endAccount(id, session));
  return User.findOne({ _id: id }, projectionOf(UserView)).orFail().lean<z.input<typeof UserView>>();
};

/** Closes an account as `closeAccount` does, and deletes its record. Errors: 404 for an unknown account. */
export const deleteAccount = (id: string): Promise<{ acknowledged: boolean; deletedCount: number }> =>
  inTransaction(async (session) => {
    await endAccount(id, session);
    return User.deleteOne({ _id: id }, { session });
  });
