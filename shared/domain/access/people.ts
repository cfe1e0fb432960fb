/** Accounts and visitors: how an account proves who it is, and how a visitor comes to exist. */
import type { Types } from 'mongoose';
import { newUuid } from '../../context.ts';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { ACTIVE } from '../../models/project.ts';
import { ProjectUser, VISITOR } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { makeOnce } from '../../mongo.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../passwords.ts';
import { gatesOf, mustPass } from './gates.ts';

/** A password that another system hashed is hashed as ours are, now that it is known; unless it was changed meanwhile. */
const adopt = async ({ _id, password: foreign }: { _id: Types.ObjectId; password: string }, password: string) => {
  await User.updateOne({ _id, password: foreign }, { $set: { password: await hashPassword(password) } });
};

/** The account with this e-mail and password, or null after the same time (attack A24). */
export const withPassword = async (email: string, password: string) => {
  const user = await User.findOne({ email: email.trim().toLowerCase(), status: ACTIVE }).lean();
  if (!(await verifyPassword(password, user?.password)) || !user) return null;
  if (isOutdated(user.password)) await adopt(user, password);
  return user;
};

/** What a visitor tells of itself. */
export interface Introduction {
  firstname?: string;
  lastname?: string;
  email?: string;
  attributes?: Record<string, unknown>;
}

/** A new visitor of the project, known by nothing but its token. Errors: 404 for a project not in use, 401 for an address that the project keeps out. */
export const welcome = async (project: string, given: Introduction, ip = '') => {
  const gates = await gatesOf(project);
  if (!gates) throw notFound('Project not found');
  mustPass(gates, { ip, id: '', visitor: true });
  const id = newUuid();
  const firstname = given.firstname || `guest#${id.slice(0, 4)}`;
  const { attributes } = given;
  const member = { uuid_user: id, role: 'guest', roleType: VISITOR, last_login_at: new Date(), createdBy: id };
  const membership = { id_project: project, ...member, ...(attributes && { attributes }) };
  await makeOnce(() => ProjectUser.create([membership], emits('projectuser.create')));
  const fullName = [firstname, given.lastname].filter(Boolean).join(' ');
  return { ...given, _id: id, id, firstname, fullName };
};
