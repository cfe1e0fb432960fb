/** Somebody calls one API process as fast as it goes, and loses the access through another. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { ProjectUser } from '#shared/models/project-user.ts';
import { begin } from '#shared/domain/access/sessions.ts';
import { Token } from '#shared/models/token.ts';
import { call, type Caller } from './api.ts';
import { anApiProcess } from './api-process.ts';
import { aPerson, aProject, aTeammate, aVisitor, PASSWORD, type Person } from './people.ts';
import { bearing } from './tokens.ts';

/** Milliseconds within which a change of access holds everywhere. */
const EVERYWHERE_MS = 1000;
const WARM = 10;

/** What somebody loses: the call that is answered until then, and how it comes to be refused. */
interface Loss {
  caller: Caller;
  path: string;
  lose(url: string): Promise<{ status: number }>;
}

type Verb = Parameters<typeof call>[0];

const by =
  ({ authorization }: Caller, [method, path]: [Verb, string], body?: unknown) =>
  (url: string) =>
    call(method, url + path, { body, headers: { authorization } });

const signedIn = async (person: Person): Promise<Caller> =>
  bearing(await begin({ _id: person.id, email: person.email }, { sub: 'user', ttl: 3600 }), person.id);

const aRevokedToken = async (): Promise<Loss> => {
  const person = await aPerson();
  const caller = await signedIn(person);
  const { jti } = await Token.findOne({ id_user: person.id }).orFail().lean();
  return { caller, path: '/v3/projects', lose: by(person, ['DELETE', `/v3/jwt/history/${jti}`]) };
};

const changed = (person: Person) =>
  by(person, ['PUT', '/v3/users/changepsw'], { oldpsw: PASSWORD, newpsw: `new ${randomUUID()}` });

const aTokenBeforeThePassword = async (): Promise<Loss> => {
  const person = await aPerson();
  return { caller: await signedIn(person), path: '/v3/projects', lose: changed(person) };
};

const anOldPassword = async (): Promise<Loss> => {
  const person = await aPerson();
  const authorization = `Basic ${Buffer.from(`${person.email}:${PASSWORD}`).toString('base64')}`;
  return { caller: { id: person.id, authorization }, path: '/v3/projects', lose: changed(person) };
};

const aClosedAccount = async (): Promise<Loss> => {
  const person = await aPerson();
  return { caller: await signedIn(person), path: '/v3/projects', lose: by(person, ['DELETE', '/v3/users']) };
};

const aMember = async (role: string) => {
  const { project, owner } = await aProject();
  const member = await aTeammate(project.id, role);
  const { _id } = await ProjectUser.findOne({ id_project: project.id, id_user: member.id }).orFail().lean();
  const root = `/v3/${project.id}`;
  return { owner, member, project: root, one: `${root}/project_users/${String(_id)}` };
};

const aDisabledTeammate = async (): Promise<Loss> => {
  const { owner, member, project, one } = await aMember('agent');
  return { caller: member, path: `${project}/changes`, lose: by(owner, ['DELETE', one]) };
};

const aTrashedTeammate = async (): Promise<Loss> => {
  const { owner, member, project, one } = await aMember('agent');
  return { caller: member, path: `${project}/changes`, lose: by(owner, ['DELETE', `${one}?soft=true`]) };
};

const aDemotedTeammate = async (): Promise<Loss> => {
  const { owner, member, project, one } = await aMember('admin');
  return { caller: member, path: `${project}/kb/namespace/all`, lose: by(owner, ['PUT', one], { role: 'agent' }) };
};

const aBannedVisitor = async (): Promise<Loss> => {
  const { project, owner } = await aProject();
  const caller = await aVisitor(project.id);
  const lose = by(owner, ['POST', `/v3/projects/${project.id}/ban`], { id: caller.id });
  return { caller, path: `/v3/${project.id}/changes`, lose };
};

const aClosedProject = async (): Promise<Loss> => {
  const { project, owner, agent } = await aProject();
  return {
    caller: agent,
    path: `/v3/${project.id}/changes`,
    lose: by(owner, ['DELETE', `/v3/projects/${project.id}`]),
  };
};

/** Every way of losing access, by what is lost. */
export const LOSSES = {
  'a revoked token': aRevokedToken,
  'a token from before a change of password': aTokenBeforeThePassword,
  'a password that was changed, by Basic': anOldPassword,
  'a closed account': aClosedAccount,
  'a disabled teammate': aDisabledTeammate,
  'a trashed teammate': aTrashedTeammate,
  'a demoted teammate': aDemotedTeammate,
  'a banned visitor': aBannedVisitor,
  'a closed project': aClosedProject,
};

const accepts = async (url: string, { authorization }: Caller): Promise<boolean> => {
  const { statusCode, body } = await request(url, { headers: { authorization } });
  await body.dump();
  if (statusCode >= 500) throw new Error(`${url} answers ${statusCode}`);
  return statusCode === 200;
};

/** How long after the loss was answered the last call was made that was let in, in milliseconds; calls go on for a while after the second. */
const lastLetIn = async ({ front, back }: TwoApis, { caller, path, lose }: Loss): Promise<number> => {
  const letIn: number[] = [];
  let lost = Number.POSITIVE_INFINITY;
  let isLosing = false;
  const warm = Promise.withResolvers<void>();
  const calling = (async () => {
    for (let at = performance.now(); at < lost + EVERYWHERE_MS * 1.2; at = performance.now()) {
      if (await accepts(front.url + path, caller)) letIn.push(at);
      else if (!isLosing) throw new Error(`${path} is refused before anything is lost`);
      if (letIn.length === WARM) warm.resolve();
    }
  })();
  await Promise.race([warm.promise, calling]);
  isLosing = true;
  const { status } = await lose(back.url);
  lost = performance.now();
  if (status !== 200) throw new Error(`${path}: losing it was answered ${status}`);
  await calling;
  return (letIn.at(-1) as number) - lost;
};

/** Two API processes on one database. */
export const twoApis = async () => {
  const [front, back] = await Promise.all([anApiProcess(), anApiProcess()]);
  return { front, back, close: () => Promise.all([front.stop('SIGKILL'), back.stop('SIGKILL')]) };
};

/** Two such processes. */
export type TwoApis = Awaited<ReturnType<typeof twoApis>>;

/** How often a call was let in that was made more than a second after the loss, and the latest that was let in. */
export const late = async (apis: TwoApis, loss: () => Promise<Loss>, times: number) => {
  const lasts = await Promise.all(Array.from({ length: times }, async () => lastLetIn(apis, await loss())));
  return { late: lasts.filter((last) => last > EVERYWHERE_MS).length, latest: Math.max(...lasts) };
};
