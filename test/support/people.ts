/** Creates accounts, visitors, teammates and projects in the database. */
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import * as people from '#shared/domain/accounts/visitors.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { hashPassword } from '#shared/security/passwords.ts';
import { issueToken } from '#shared/security/tokens.ts';
import type { Caller } from './api.ts';

/** The password of every account. */
export const PASSWORD = 'correct horse';

let passwordHash: Promise<string> | undefined;

/** A person with an account. */
export interface Person extends Caller {
  email: string;
}

/** A new account with a valid token. */
export const aPerson = async ({
  email = `${randomUUID()}@example.com`,
  emailverified = false,
} = {}): Promise<Person> => {
  const password = await (passwordHash ??= hashPassword(PASSWORD));
  const [user] = await User.create([{ email, password, emailverified, firstname: 'Ann', lastname: 'Lee' }]);
  const id = String(user?._id);
  return { id, email, authorization: `JWT ${issueToken('user', { _id: id, email }, config.TOKEN_TTL_SECONDS)}` };
};

/** The account of the first address in OPERATORS, created on the first call. */
export const anInstanceAdmin = async (): Promise<Person> => {
  const email = config.OPERATORS[0] as string;
  const password = await (passwordHash ??= hashPassword(PASSWORD));
  const change = { $set: { emailverified: true, password }, $setOnInsert: { firstname: 'Ann', lastname: 'Lee' } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const id = String((await User.findOneAndUpdate({ email }, change, options).orFail().lean())._id);
  return { id, email, authorization: `JWT ${issueToken('user', { _id: id, email }, config.TOKEN_TTL_SECONDS)}` };
};

/**
 * A caller with the highest role that an endpoint may require: the owner of the project, or an instance administrator.
 */
export const highestRole = async ({ role }: { role: string }, { owner }: { owner: Person }): Promise<Person> =>
  role === 'instance-admin' ? anInstanceAdmin() : owner;

/** A new visitor of the project. */
export const aVisitor = async (project: string): Promise<Caller> => {
  const { _id: id, fullName } = await people.createVisitor(project, {});
  return { id, authorization: `JWT ${issueToken('guest', { _id: id, fullName }, config.GUEST_TOKEN_TTL_SECONDS)}` };
};

/** A new teammate of the project. */
export const aTeammate = async (project: string, role: string): Promise<Person> => {
  const person = await aPerson();
  await ProjectUser.create([
    { id_project: project, id_user: person.id, role, roleType: TEAM_ROLE_TYPE, createdBy: person.id },
  ]);
  return person;
};

/** A project with an owner, an admin, an agent and a visitor. */
export const aProject = async () => {
  const owner = await aPerson();
  const id = await projects.create({ name: 'Project' }, owner);
  const [admin, agent, guest] = await Promise.all([aTeammate(id, 'admin'), aTeammate(id, 'agent'), aVisitor(id)]);
  return { project: { id }, owner, admin, agent, guest };
};
