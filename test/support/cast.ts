/** One of each who may call, around one project. */
import { config } from '#shared/config.ts';
import { broughtIn } from '#shared/domain/access/own-users.ts';
import * as sessions from '#shared/domain/access/sessions.ts';
import { Bot } from '#shared/models/bot.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { Token } from '#shared/models/token.ts';
import { User } from '#shared/models/user.ts';
import { sign } from '#shared/tokens.ts';
import type { Caller } from './api.ts';
import { aProject, aTeammate } from './people.ts';
import { aKey, bearing, customClaims, forged } from './tokens.ts';

const aFormer = async (project: string, standing: { status: 'disabled'; trashed?: boolean }): Promise<Caller> => {
  const person = await aTeammate(project, 'admin');
  await ProjectUser.updateOne({ id_project: project, id_user: person.id }, { $set: standing });
  return person;
};

const anOwnUser = async (project: string): Promise<Caller> => {
  const claims = customClaims(project);
  await broughtIn(project, claims);
  return bearing(forged(claims, { secret: await aKey(project) }), claims._id);
};

const aBot = async (project: string): Promise<Caller> => {
  const [bot] = await Bot.create([{ id_project: project, name: 'Bot', createdBy: 'test' }]);
  const id = String(bot?._id);
  return bearing(await sessions.issueBotToken(project, id), id);
};

const aSubscription = async (project: string): Promise<Caller> => {
  const wish = { event: 'request.create', target: 'https://hooks.example.com' };
  const [made] = await Subscription.create([{ id_project: project, ...wish, createdBy: 'test' }]);
  const id = String(made?._id);
  const signer = { kind: 'subscriptions', id } as const;
  const secret = made?.secret ?? '';
  return bearing(sign({ _id: id }, { sub: 'subscription', ttl: config.TOKEN_TTL, signer, secret }), id);
};

/** Another owner, whose token was revoked before anybody saw it. */
const aRevoked = async (project: string): Promise<Caller> => {
  const { id } = await aTeammate(project, 'owner');
  const claims = sessions.claimsOf(await User.findOne({ _id: id }).orFail().lean());
  const token = await sessions.begin(claims, { sub: 'user', ttl: config.TOKEN_TTL });
  await sessions.revoke({ id, kind: 'user' }, { jti: (await Token.findOne({ id_user: id }).orFail().lean()).jti });
  return bearing(token, id);
};

/** How things stand with the project and its people: whoever changes that spoils the cast for others. */
const standing = async (project: string): Promise<string> => {
  const members = await ProjectUser.find({ id_project: project }).sort({ _id: 1 }).lean();
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

/** A project, and everybody in the columns of the table of roles by their names. */
export const aCast = async () => {
  const { project, ...team } = await aProject();
  const { id } = project;
  const people = {
    nobody: undefined,
    ...team,
    user: anOwnUser(id),
    bot: aBot(id),
    subscription: aSubscription(id),
    foreign: aProject().then(({ owner }) => owner),
    disabled: aFormer(id, { status: 'disabled' }),
    trashed: aFormer(id, { status: 'disabled', trashed: true }),
    revoked: aRevoked(id),
  };
  const cast = await Promise.all(
    Object.entries(people).map(async ([name, caller]): Promise<[string, Caller | undefined]> => [name, await caller]),
  );
  const before = await standing(id);
  return {
    project: id,
    cast: Object.fromEntries(cast),
    /** True until somebody of them has lost or gained something. */
    isWhole: async () => (await standing(id)) === before,
  };
};
