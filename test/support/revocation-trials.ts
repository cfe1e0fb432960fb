/** A caller of one API process whose access is revoked through another one. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { issueSessionToken } from '#shared/domain/access/sessions.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import { type Caller, call } from './api.ts';
import { anApiProcess } from './api-process.ts';
import { aPerson, aProject, aTeammate, aVisitor, PASSWORD, type Person } from './people.ts';
import { withToken } from './tokens.ts';

/** Milliseconds within which a change of access holds everywhere. */
const MAX_PROPAGATION_MS = 1000;
const WARM_UP_CALLS = 10;

/** A kind of access: the call that succeeds until its revocation, and the revocation. */
interface AccessLoss {
  caller: Caller;
  path: string;
  revokeAccess(url: string): Promise<{ status: number }>;
}

type HttpMethod = Parameters<typeof call>[0];

const callAs =
  ({ authorization }: Caller, [method, path]: [HttpMethod, string], body?: unknown) =>
  (url: string) =>
    call(method, url + path, { body, headers: { authorization } });

const signInAs = async (person: Person): Promise<Caller> =>
  withToken(await issueSessionToken({ _id: person.id, email: person.email }, { sub: 'user', ttl: 3600 }), person.id);

const aRevokedToken = async (): Promise<AccessLoss> => {
  const person = await aPerson();
  const caller = await signInAs(person);
  const { jti } = await Token.findOne({ id_user: person.id }).orFail().lean();
  return { caller, path: '/v3/projects', revokeAccess: callAs(person, ['DELETE', `/v3/jwt/history/${jti}`]) };
};

const changePassword = (person: Person) =>
  callAs(person, ['PUT', '/v3/users/changepsw'], { oldpsw: PASSWORD, newpsw: `new ${randomUUID()}` });

const aTokenBeforeThePassword = async (): Promise<AccessLoss> => {
  const person = await aPerson();
  return { caller: await signInAs(person), path: '/v3/projects', revokeAccess: changePassword(person) };
};

const anOldPassword = async (): Promise<AccessLoss> => {
  const person = await aPerson();
  const authorization = `Basic ${Buffer.from(`${person.email}:${PASSWORD}`).toString('base64')}`;
  return { caller: { id: person.id, authorization }, path: '/v3/projects', revokeAccess: changePassword(person) };
};

const aClosedAccount = async (): Promise<AccessLoss> => {
  const person = await aPerson();
  return {
    caller: await signInAs(person),
    path: '/v3/projects',
    revokeAccess: callAs(person, ['DELETE', '/v3/users']),
  };
};

const aMembership = async (role: string) => {
  const { project, owner } = await aProject();
  const member = await aTeammate(project.id, role);
  const { _id } = await ProjectUser.findOne({ id_project: project.id, id_user: member.id }).orFail().lean();
  const root = `/v3/${project.id}`;
  return { owner, member, project: root, one: `${root}/project_users/${String(_id)}` };
};

const aDisabledTeammate = async (): Promise<AccessLoss> => {
  const { owner, member, project, one } = await aMembership('agent');
  return { caller: member, path: `${project}/changes`, revokeAccess: callAs(owner, ['DELETE', one]) };
};

const aTrashedTeammate = async (): Promise<AccessLoss> => {
  const { owner, member, project, one } = await aMembership('agent');
  return { caller: member, path: `${project}/changes`, revokeAccess: callAs(owner, ['DELETE', `${one}?soft=true`]) };
};

const aDemotedTeammate = async (): Promise<AccessLoss> => {
  const { owner, member, project, one } = await aMembership('admin');
  return {
    caller: member,
    path: `${project}/kb/namespace/all`,
    revokeAccess: callAs(owner, ['PUT', one], { role: 'agent' }),
  };
};

const aBannedVisitor = async (): Promise<AccessLoss> => {
  const { project, owner } = await aProject();
  const caller = await aVisitor(project.id);
  const lose = callAs(owner, ['POST', `/v3/projects/${project.id}/ban`], { id: caller.id });
  return { caller, path: `/v3/${project.id}/changes`, revokeAccess: lose };
};

const aClosedProject = async (): Promise<AccessLoss> => {
  const { project, owner, agent } = await aProject();
  return {
    caller: agent,
    path: `/v3/${project.id}/changes`,
    revokeAccess: callAs(owner, ['DELETE', `/v3/projects/${project.id}`]),
  };
};

/** Every way of revoking access, by what is revoked. */
export const ACCESS_LOSSES = {
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

const isAccepted = async (url: string, { authorization }: Caller): Promise<boolean> => {
  const { statusCode, body } = await request(url, { headers: { authorization } });
  await body.dump();
  if (statusCode >= 500) throw new Error(`${url} answers ${statusCode}`);
  return statusCode === 200;
};

/**
 * Milliseconds between the response of the revocation and the last successful call; calls go on for a while after one
 * second.
 */
const lastAcceptedAfterLoss = async (
  { front, back }: TwoApiProcesses,
  { caller, path, revokeAccess: lose }: AccessLoss,
): Promise<number> => {
  const letIn: number[] = [];
  let lost = Number.POSITIVE_INFINITY;
  let isLosing = false;
  const warm = Promise.withResolvers<void>();
  const calling = (async () => {
    for (let at = performance.now(); at < lost + MAX_PROPAGATION_MS * 1.2; at = performance.now()) {
      if (await isAccepted(front.url + path, caller)) letIn.push(at);
      else if (!isLosing) throw new Error(`${path} is refused before anything is lost`);
      if (letIn.length === WARM_UP_CALLS) warm.resolve();
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
export const twoApiProcesses = async () => {
  const [front, back] = await Promise.all([anApiProcess(), anApiProcess()]);
  return { front, back, close: () => Promise.all([front.stop('SIGKILL'), back.stop('SIGKILL')]) };
};

/** Two such processes. */
export type TwoApiProcesses = Awaited<ReturnType<typeof twoApiProcesses>>;

/** The number of successful calls more than a second after the revocation, and the latest successful one. */
export const countLateAcceptances = async (apis: TwoApiProcesses, loss: () => Promise<AccessLoss>, times: number) => {
  const lasts = await Promise.all(Array.from({ length: times }, async () => lastAcceptedAfterLoss(apis, await loss())));
  return { late: lasts.filter((last) => last > MAX_PROPAGATION_MS).length, latest: Math.max(...lasts) };
};
