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

interface AccountFields {
  email?: string;
  emailverified?: boolean;
}

/** New accounts with valid tokens, stored with one command. */
const createPeople = async (accounts: AccountFields[]): Promise<Person[]> => {
  const password = await (passwordHash ??= hashPassword(PASSWORD));
  const common = { password, emailverified: false, firstname: 'Ann', lastname: 'Lee' };
  const users = accounts.map((account) => ({ ...common, email: `${randomUUID()}@example.com`, ...account }));
  const stored = await User.insertMany(users);
  return stored.map(({ _id, email }) => {
    const id = String(_id);
    return { id, email, authorization: `JWT ${issueToken('user', { _id: id, email }, config.TOKEN_TTL_SECONDS)}` };
  });
};

/** A new account with a valid token. */
export const aPerson = async (account: AccountFields = {}): Promise<Person> =>
  (await createPeople([account]))[0] as Person;

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

/** Adds accounts to the team of a project. */
const addToTeam = (id_project: string, members: { id: string; role: string }[]) =>
  ProjectUser.insertMany(
    members.map(({ id, role }) => ({ id_project, id_user: id, role, roleType: TEAM_ROLE_TYPE, createdBy: id })),
  );

/** A new teammate of the project. */
export const aTeammate = async (project: string, role: string): Promise<Person> => {
  const person = await aPerson();
  await addToTeam(project, [{ id: person.id, role }]);
  return person;
};

/** A project with an owner, an admin, an agent and a visitor. */
export const aProject = async () => {
  const [owner, admin, agent] = (await createPeople([{}, {}, {}])) as [Person, Person, Person];
  const id = await projects.create({ name: 'Project' }, owner);
  const team = addToTeam(id, [
    { id: admin.id, role: 'admin' },
    { id: agent.id, role: 'agent' },
  ]);
  const [guest] = await Promise.all([aVisitor(id), team]);
  return { project: { id }, owner, admin, agent, guest };
};
