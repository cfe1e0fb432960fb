/** Accounts and visitors: how somebody comes to exist, and how an account proves who it is. */
import { newUuid } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { ACTIVE, Project } from '../models/project.ts';
import { ProjectUser, VISITOR } from '../models/project-user.ts';
import { User } from '../models/user.ts';
import { makeOnce } from '../mongo.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import { isId } from '../view.ts';

const TAKEN = 'An account with this e-mail exists';

/** What an account is made of; `email` in lower case, `password` in clear. */
export interface NewAccount {
  email: string;
  password: string;
  firstname: string;
  lastname: string;
  phone?: string;
}

const taken = () => new AppError(403, 'EMAIL_TAKEN', TAKEN).with({ body: { message: TAKEN } });

/** Make an account and tell its id; 403 when the e-mail is taken (contract a 3.2). */
export const signUp = async (account: NewAccount): Promise<string> => {
  if (await User.exists({ email: account.email })) throw taken();
  const user = new User({ ...account, password: await hashPassword(account.password) });
  if (!(await makeOnce(() => user.save()))) throw taken();
  return String(user._id);
};

/** The account with this e-mail and password, or null after the same time (attack A24). */
export const withPassword = async (email: string, password: string) => {
  const user = await User.findOne({ email: email.trim().toLowerCase(), status: ACTIVE }).lean();
  return (await verifyPassword(password, user?.password)) ? user : null;
};

/** What a visitor tells of itself. */
export interface Introduction {
  firstname?: string;
  lastname?: string;
  email?: string;
  attributes?: Record<string, unknown>;
}

/** A new visitor of the project, known by nothing but its token; 404 for a project not in use (contract a 3.5). */
export const welcome = async (project: string, given: Introduction) => {
  if (!isId(project) || !(await Project.exists({ _id: project, status: ACTIVE }))) throw notFound('Project not found');
  const id = newUuid();
  const firstname = given.firstname || `guest#${id.slice(0, 4)}`;
  const { attributes } = given;
  const member = { uuid_user: id, role: 'guest', roleType: VISITOR, last_login_at: new Date(), createdBy: id };
  const membership = { id_project: project, ...member, ...(attributes && { attributes }) };
  await makeOnce(() => ProjectUser.create([membership]));
  const fullName = [firstname, given.lastname].filter(Boolean).join(' ');
  return { ...given, _id: id, id, firstname, fullName };
};
