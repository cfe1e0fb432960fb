/** The end of an account. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { ProjectUser } from '../../models/project-user.ts';
import { User, UserView } from '../../models/user.ts';
import { inTransaction } from '../../mongo.ts';
import { fieldsOf } from '../../view.ts';
import { dropKeys } from './account-keys.ts';
import { setHash } from './credentials.ts';
import { read } from './profiles.ts';
import { closed } from '../projects/project-removal.ts';
import { trashWithin } from '../team/teammates.ts';

const CLOSED = 0;
/** No hash of any password. */
const NO_PASSWORD = '-';

interface Membership {
  _id: Types.ObjectId;
  id_project: string;
  role: string;
  status: string;
}

const hasOtherOwner = async ({ _id, id_project }: Membership, session: ClientSession): Promise<boolean> => {
  const other = { id_project, _id: { $ne: _id }, role: 'owner', status: 'active', trashed: false } as const;
  return Boolean(await ProjectUser.exists(other).session(session));
};

/**
 * A project closes with the account of its only active owner. Every other member leaves it as a removed teammate does:
 * two owners who leave at once write each other's record, so one of them finds no other owner.
 */
const leave = async (membership: Membership, session: ClientSession): Promise<void> => {
  const { _id, id_project, role, status } = membership;
  const isOwner = role === 'owner' && status === 'active';
  if (isOwner && !(await hasOtherOwner(membership, session))) await closed(id_project, session);
  else await trashWithin({ id_project, _id: String(_id) }, { kind: 'user', role }, session);
};

const leaveProjects = async (id_user: string, session: ClientSession): Promise<void> => {
  // The account is the filter: its memberships are in several projects.
  const options = { session, anyProject: true };
  const mine = { id_user, trashed: false };
  const fields = { id_project: 1, role: 1, status: 1 } as const;
  const memberships = await ProjectUser.find(mine, fields, options).lean<Membership[]>();
  for (const membership of memberships) await leave(membership, session);
};

/** Nobody can tell any more whose it was, nor sign in to it; its address may make another. */
const anonymise = async (id: string, session: ClientSession): Promise<void> => {
  const nameless = { email: `${randomUUID()}@deleted.invalid`, firstname: 'Deleted', lastname: 'account' };
  const $unset = { attributes: 1, description: 1, public_email: 1, public_website: 1, phone: 1 };
  const $set = { ...nameless, emailverified: false, status: CLOSED };
  await User.updateOne({ _id: id }, { $set, $unset }, { session });
};

const end = async (id: string, session: ClientSession): Promise<void> => {
  await leaveProjects(id, session);
  await dropKeys(id, session);
  await setHash(id, NO_PASSWORD, session);
  await anonymise(id, session);
};

/** Close an account, and the projects that no other active owner is left in; answers what is left of the account. 404 where there is none. */
export const close = async (id: string) => {
  await read(id);
  await inTransaction((session) => end(id, session));
  return User.findOne({ _id: id }, fieldsOf(UserView)).orFail().lean<z.input<typeof UserView>>();
};

/** The same, and remove the record too. */
export const erase = async (id: string): Promise<{ acknowledged: boolean; deletedCount: number }> => {
  await read(id);
  return inTransaction(async (session) => {
    await end(id, session);
    return User.deleteOne({ _id: id }, { session });
  });
};
