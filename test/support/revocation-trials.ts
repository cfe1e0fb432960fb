/** Trials in which the access of a caller of one API process is revoked through another process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { issueSessionToken } from '#shared/domain/access/sessions.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import { anApi, type Caller, call } from './api.ts';
import { theOtherApi } from './api-process.ts';
import { aPerson, aProject, aTeammate, aVisitor, PASSWORD, type Person } from './people.ts';
import { withToken } from './tokens.ts';

/** The time within which a revocation must be effective in every process. */
const MAX_PROPAGATION_MS = 1000;
const WARM_UP_CALLS = 5;
/** The pause between two calls of a trial; without it, the trials would use all processors. */
const PAUSE_MS = 25;

/** A caller with access that can be revoked. */
interface RevocableAccess {
  caller: Caller;
  /** The path of a GET request that succeeds until the revocation. */
  path: string;
  revokeAccess(url: string): Promise<{ status: number }>;
}

type HttpMethod = Parameters<typeof call>[0];

const callAs =
  ({ authorization }: Caller, [method, path]: [HttpMethod, string], body?: unknown) =>
  (url: string) =>
    call(method, url + path, { body, headers: { authorization } });

const signInAs = async (person: Person): Promise<Caller> =>
  withToken(
    await issueSessionToken({ _id: person.id, email: person.email }, { sub: 'user', ttlSeconds: 3600 }),
    person.id,
  );

const aRevokedToken = async (): Promise<RevocableAccess> => {
  const person = await aPerson();
  const caller = await signInAs(person);
  const { jti } = await Token.findOne({ id_user: person.id }).orFail().lean();
  return { caller, path: '/v3/projects', revokeAccess: callAs(person, ['DELETE', `/v3/jwt/history/${jti}`]) };
};

const changePassword = (person: Person) =>
  callAs(person, ['PUT', '/v3/users/changepsw'], { oldpsw: PASSWORD, newpsw: `new ${randomUUID()}` });

const aTokenBeforeThePassword = async (): Promise<RevocableAccess> => {
  const person = await aPerson();
  return { caller: await signInAs(person), path: '/v3/projects', revokeAccess: changePassword(person) };
};

const anOldPassword = async (): Promise<RevocableAccess> => {
  const person = await aPerson();
  const authorization = `Basic ${Buffer.from(`${person.email}:${PASSWORD}`).toString('base64')}`;
  return { caller: { id: person.id, authorization }, path: '/v3/projects', revokeAccess: changePassword(person) };
};

const aClosedAccount = async (): Promise<RevocableAccess> => {
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

const aDisabledTeammate = async (): Promise<RevocableAccess> => {
  const { owner, member, project, one } = await aMembership('agent');
  return { caller: member, path: `${project}/changes`, revokeAccess: callAs(owner, ['DELETE', one]) };
};

const aTrashedTeammate = async (): Promise<RevocableAccess> => {
  const { owner, member, project, one } = await aMembership('agent');
  return { caller: member, path: `${project}/changes`, revokeAccess: callAs(owner, ['DELETE', `${one}?soft=true`]) };
};

const aDemotedTeammate = async (): Promise<RevocableAccess> => {
  const { owner, member, project, one } = await aMembership('admin');
  return {
    caller: member,
    path: `${project}/kb/namespace/all`,
    revokeAccess: callAs(owner, ['PUT', one], { role: 'agent' }),
  };
};

const aBannedVisitor = async (): Promise<RevocableAccess> => {
  const { project, owner } = await aProject();
  const caller = await aVisitor(project.id);
  const revokeAccess = callAs(owner, ['POST', `/v3/projects/${project.id}/ban`], { id: caller.id });
  return { caller, path: `/v3/${project.id}/changes`, revokeAccess: revokeAccess };
};

const aDisabledProject = async (): Promise<RevocableAccess> => {
  const { project, owner, agent } = await aProject();
  return {
    caller: agent,
    path: `/v3/${project.id}/changes`,
    revokeAccess: callAs(owner, ['DELETE', `/v3/projects/${project.id}`]),
  };
};

/** Every way of revoking access, by the caller or credential that loses it. */
export const REVOCATIONS = {
  'a revoked token': aRevokedToken,
  'a token that is older than the password': aTokenBeforeThePassword,
  'Basic authentication with the old password': anOldPassword,
  'a closed account': aClosedAccount,
  'a disabled teammate': aDisabledTeammate,
  'a trashed teammate': aTrashedTeammate,
  'a demoted teammate': aDemotedTeammate,
  'a banned visitor': aBannedVisitor,
  'a disabled project': aDisabledProject,
};

const isAccepted = async (url: string, { authorization }: Caller): Promise<boolean> => {
  const { statusCode, body } = await request(url, { headers: { authorization } });
  await body.dump();
  if (statusCode >= 500) throw new Error(`${url} answered ${statusCode}`);
  return statusCode === 200;
};

/**
 * Milliseconds from the response to the revocation until the last successful call; negative if no call succeeded after
 * it. Calls are made until 1.2 s after the revocation.
 */
const lastAcceptedAfterRevocation = async (
  { front, back }: TwoApiProcesses,
  { caller, path, revokeAccess }: RevocableAccess,
): Promise<number> => {
  const acceptedAt: number[] = [];
  let revokedAt = Number.POSITIVE_INFINITY;
  let isRevoking = false;
  const warm = Promise.withResolvers<void>();
  const calling = (async () => {
    for (
      let calledAt = performance.now();
      calledAt < revokedAt + MAX_PROPAGATION_MS * 1.2;
      calledAt = performance.now()
    ) {
      if (await isAccepted(front.url + path, caller)) acceptedAt.push(calledAt);
      else if (!isRevoking) throw new Error(`${path} was refused before the revocation`);
      if (acceptedAt.length === WARM_UP_CALLS) warm.resolve();
      await sleep(PAUSE_MS);
    }
  })();
  await Promise.race([warm.promise, calling]);
  isRevoking = true;
  const { status } = await revokeAccess(back.url);
  revokedAt = performance.now();
  if (status !== 200) throw new Error(`the revocation of access to ${path} returned ${status}`);
  await calling;
  return (acceptedAt.at(-1) as number) - revokedAt;
};

/** Two API processes on one database: the caller calls `front`; `back`, the process of the test, revokes access. */
export const twoApiProcesses = async () => {
  const [front, back] = await Promise.all([theOtherApi(), anApi()]);
  return { front, back: { url: back } };
};

export type TwoApiProcesses = Awaited<ReturnType<typeof twoApiProcesses>>;

/**
 * Runs a revocation `times` times. Returns the number of runs in which a call succeeded too late, and the time of the
 * latest successful call, in milliseconds after the revocation.
 */
export const countLateAcceptances = async (
  apis: TwoApiProcesses,
  loss: () => Promise<RevocableAccess>,
  times: number,
) => {
  const lasts = await Promise.all(
    Array.from({ length: times }, async () => lastAcceptedAfterRevocation(apis, await loss())),
  );
  return { late: lasts.filter((last) => last > MAX_PROPAGATION_MS).length, latest: Math.max(...lasts) };
};
