/** The end of an account (contract a 5.2). */
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
}

/** Its own projects close with it, as they are; it leaves those of others. */
const leave = ({ _id, id_project, role }: Membership, session: ClientSession) =>
  role === 'owner'
    ? closed(id_project, session)
    : trashWithin({ id_project, _id: String(_id) }, { kind: 'user', role }, session);

const leaveProjects = async (id_user: string, session: ClientSession): Promise<void> => {
  // Whose they are is the border.
  const options = { session, anyProject: true };
  const mine = { id_user, trashed: false };
  const memberships = await ProjectUser.find(mine, { id_project: 1, role: 1 }, options).lean<Membership[]>();
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

/** Close an account with every project that it owns, whoever else does, and tell what is left of it; 404 where there is none. */
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
