/** One caller of every kind for a project. */
import { config } from '#shared/config.ts';
import * as sessions from '#shared/domain/access/sessions.ts';
import { upsertExternalUser } from '#shared/domain/accounts/external-users.ts';
import { Bot } from '#shared/models/bot.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { Token } from '#shared/models/token.ts';
import { User } from '#shared/models/user.ts';
import { signToken } from '#shared/security/tokens.ts';
import type { Caller } from './api.ts';
import { aProject, aTeammate } from './people.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from './tokens.ts';

const anInactiveTeammate = async (
  project: string,
  state: { status: 'disabled'; trashed?: boolean },
): Promise<Caller> => {
  const person = await aTeammate(project, 'admin');
  await ProjectUser.updateOne({ id_project: project, id_user: person.id }, { $set: state });
  return person;
};

const anExternalUser = async (project: string): Promise<Caller> => {
  const claims = customClaims(project);
  await upsertExternalUser(project, claims);
  return withToken(forgeToken(claims, { secret: await aProjectKey(project) }), claims._id);
};

const aBot = async (project: string): Promise<Caller> => {
  const [bot] = await Bot.create([{ id_project: project, name: 'Bot', createdBy: 'test' }]);
  const id = String(bot?._id);
  return withToken(await sessions.issueBotToken(project, id), id);
};

const aSubscription = async (project: string): Promise<Caller> => {
  const fields = { event: 'request.create', target: 'https://hooks.example.com' };
  const [subscription] = await Subscription.create([{ id_project: project, ...fields, createdBy: 'test' }]);
  const id = String(subscription?._id);
  const signer = { kind: 'subscriptions', id } as const;
  const secret = subscription?.secret ?? '';
  return withToken(
    signToken({ _id: id }, { sub: 'subscription', ttlSeconds: config.TOKEN_TTL_SECONDS, signer, secret }),
    id,
  );
};

/** Another owner, whose token has been revoked. */
const aRevokedOwner = async (project: string): Promise<Caller> => {
  const { id } = await aTeammate(project, 'owner');
  const claims = sessions.accountClaims(await User.findOne({ _id: id }).orFail().lean());
  const token = await sessions.issueSessionToken(claims, { sub: 'user', ttlSeconds: config.TOKEN_TTL_SECONDS });
  await sessions.revoke({ id, kind: 'user' }, { jti: (await Token.findOne({ id_user: id }).orFail().lean()).jti });
  return withToken(token, id);
};

/**
 * What decides which calls the callers may make: the status of the project, the statuses and roles of the members with
 * these ids, and the statuses and epochs of their accounts (a new password increments the epoch, which ends all
 * sessions). Tests share the callers and must not change them. Members who join later are not included.
 */
const accessState = async (project: string, memberships: string[]): Promise<string> => {
  const members = await ProjectUser.find({ id_project: project, _id: { $in: memberships } })
    .sort({ _id: 1 })
    .lean();
  const users = members.flatMap(({ id_user }) => (id_user ? [id_user] : []));
  const facts = [
    await Project.findOne({ _id: project }, { status: 1 }).lean(),
    members.map(({ uuid_user, role, status, trashed }) => [uuid_user, role, status, trashed]),
    await User.find({ _id: { $in: users } }, { status: 1, epoch: 1 })
      .sort({ _id: 1 })
      .lean(),
  ];
  return JSON.stringify(facts);
};

/** A project with its callers; the keys of `callers` are the column names in test/data/roles.md. */
export const actorsOfProject = async () => {
  const { project, ...team } = await aProject();
  const { id } = project;
  const pending = {
    nobody: undefined,
    ...team,
    user: anExternalUser(id),
    bot: aBot(id),
    subscription: aSubscription(id),
    foreign: aProject().then(({ owner }) => owner),
    disabled: anInactiveTeammate(id, { status: 'disabled' }),
    trashed: anInactiveTeammate(id, { status: 'disabled', trashed: true }),
    revoked: aRevokedOwner(id),
  };
  const callers = await Promise.all(
    Object.entries(pending).map(async ([name, caller]): Promise<[string, Caller | undefined]> => [name, await caller]),
  );
  const memberships = (await ProjectUser.find({ id_project: id }, { _id: 1 }).lean()).map(({ _id }) => String(_id));
  const before = await accessState(id, memberships);
  return {
    project: id,
    callers: Object.fromEntries(callers),
    /** Whether every caller still has its role and status. */
    isUnchanged: async () => (await accessState(id, memberships)) === before,
  };
};
