/** Accounts, projects and their teams on the public server, the system from which `import` copies a database. */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { document, FOUNDED, nextId, times } from './documents.ts';

/** A low cost, because tests verify several hashes. */
const BCRYPT_COST = 4;

/** Returns the password of an account, by its address. */
export const passwordOf = (email: string): string => `password of ${email}`;

/** An account with the bcrypt hash of its password. */
export const account = (email: string, fields: object = {}) => ({
  _id: nextId(),
  ...{ email, password: bcrypt.hashSync(passwordOf(email), BCRYPT_COST), firstname: 'Ada', lastname: 'Byron' },
  ...{ emailverified: true, status: 100, resetpswrequestid: 'a live key', attributes: { team: 'first' } },
  ...fields,
  ...times(FOUNDED),
});

type Account = ReturnType<typeof account>;

const member = (id_project: string, { _id }: Account, fields: object) =>
  document(id_project, {
    ...{ id_user: _id, roleType: 1, user_available: true, status: 'active', trashed: false, tags: [], permissions: [] },
    ...{ number_assigned_requests: 7, presence: { status: 'online', changedAt: new Date(FOUNDED) } },
    ...fields,
  });

const projectDocument = (name: string, owner: Account) => {
  const _id = nextId();
  return {
    ...{ _id, name, status: 100, activeOperatingHours: false, versions: 20_115 },
    settings: {
      chat_limit_on: true,
      email: { config: { host: 'smtp.example.org', port: 25, user: 'a', pass: 'mail-pass' } },
    },
    widget: { themeColor: '#00f', poweredBy: '<b onclick="x()">Example</b><script>x()</script>' },
    profile: { name: 'Custom', type: 'payment', trialDays: 14, agents: 10, subEnd: new Date(Date.UTC(2099, 0)) },
    channels: [{ name: 'chat21' }, { name: 'email' }],
    ...{ ipFilterEnabled: false, ipFilter: [], ipFilterDenyEnabled: false, ipFilterDeny: [] },
    bannedUsers: [{ _id: nextId(), id: 'banned-visitor', ip: '192.0.2.1' }],
    ...{ publicKey: 'a public key', privateKey: 'a private key', jwtSecret: randomUUID() },
    createdBy: String(owner._id),
    ...times(FOUNDED),
  };
};

const departmentsOf = (id_project: string, groups: { _id: unknown }[], bot: unknown) => {
  const common = { status: 1, online_msg: 'Hello' };
  return [
    document(id_project, { ...common, name: 'Default Department', default: true, routing: 'assigned' }),
    document(id_project, {
      ...{ ...common, name: 'Sales', default: false, routing: 'pooled', id_bot: String(bot), id_group: null },
      groups: groups.map(({ _id }) => ({ group_id: String(_id), percentage: 100 })),
    }),
    document(id_project, { ...common, name: 'Empty', default: false, routing: null, id_group: '', groups: [] }),
  ];
};

/**
 * A project with an owner, an admin, two agents, a supervisor, a teammate with a custom role, and departments. `name`
 * must be unique, because the email addresses contain it.
 */
export const projectWithTeam = (name: string, bot: unknown) => {
  const people = ['owner', 'admin', 'agent', 'second', 'supervisor', 'custom'].map((role) =>
    account(`${role}.${name}@example.org`),
  );
  const [owner, admin, agent, second, supervisor, custom] = people as [
    Account,
    Account,
    Account,
    Account,
    Account,
    Account,
  ];
  const project = projectDocument(name, owner);
  const id_project = String(project._id);
  const members = [
    member(id_project, owner, { role: 'owner' }),
    member(id_project, admin, { role: 'admin', max_served_chat: 4 }),
    // An agent who was invited again after being disabled: the public server keeps both memberships.
    member(id_project, agent, { role: 'agent', status: 'disabled', user_available: false }),
    member(id_project, agent, {
      role: 'agent',
      settings: { email: { notification: { conversation: { pooled: false } } } },
    }),
    member(id_project, second, {
      role: 'agent',
      profileStatus: 'At lunch',
      tags: [{ tag: 'expert', color: '#f00', _id: nextId() }],
    }),
    member(id_project, supervisor, { role: 'supervisor' }),
    member(id_project, custom, { role: 'reporter' }),
  ];
  const groups = [
    document(id_project, { name: 'Sellers', members: [String(agent._id)], enabled: true, trashed: false }),
  ];
  return {
    id_project,
    project,
    people,
    owner,
    members,
    groups,
    agents: [members[3], members[4]] as (typeof members)[number][],
    departments: departmentsOf(id_project, groups, bot),
    invitations: [document(id_project, { email: `invited.${name}@example.org`, role: 'agent' })],
  };
};

/** A project with its team. */
export type Team = ReturnType<typeof projectWithTeam>;
