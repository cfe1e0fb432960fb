/**
 * Trials that kill masters of Redis under load: each job takes effect once, and limits, queue board and command line
 * work with the same Redis.
 */
import { expect } from 'chai';
import { call } from './api.ts';
import { failOverUnderLoad, type FailoverPlan, type System } from './failover-trials.ts';
import { renameDuring } from './listener-trials.ts';
import { anInstanceAdmin } from './people.ts';
import type { Disturbance } from './replica-set.ts';

const MAX_GAP_MS = 300;

/** The sign-in attempts per minute that the processes of a system allow together. */
export const SIGNIN_LIMIT = 20;

/** The settings of the processes of a system whose limits are tested. */
export const LIMIT_SETTINGS = { SIGNIN_LIMIT_POINTS: String(SIGNIN_LIMIT) };

/**
 * Kills masters while messages are posted and leads are renamed. Expects that each message arrives once and that each
 * renaming is handled once. Returns a summary.
 */
export const replaceMastersUnderLoad = async (
  system: System,
  killMaster: () => Promise<Disturbance>,
  plan: FailoverPlan,
): Promise<string> => {
  let summary = '';
  const renamings = await renameDuring({ maxGapMs: MAX_GAP_MS }, async () => {
    summary = await failOverUnderLoad(system, killMaster, plan);
  });
  return `${summary}; ${renamings} renamings, each handled once`;
};

/** Expects that the processes count sign-in attempts together: only SIGNIN_LIMIT of twice as many are answered 401. */
export const expectSharedLimit = async ({ url }: System): Promise<void> => {
  const body = { email: 'nobody@example.com', password: 'wrong password' };
  const signIn = async () => (await call('POST', `${await url()}/v3/auth/signin`, { body, checkOpenapi: false })).status;
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 2 * SIGNIN_LIMIT; attempt += 1) statuses.push(await signIn());
  expect(statuses.filter((status) => status === 429).length).to.be.at.least(SIGNIN_LIMIT);
  expect(statuses[0]).to.equal(401);
};

/** Expects that the queue board shows the queues. */
export const expectBoardWorks = async ({ url }: System): Promise<void> => {
  const { authorization } = await anInstanceAdmin();
  const reply = await call('GET', `${await url()}/admin/queues/api/queues`, { headers: { authorization } });
  expect(reply.body.queues.map(({ name }: { name: string }) => name)).to.include.members(['kb', 'events']);
};

/** Expects that the command line lists the queues and finds no fault in Redis. */
export const expectCommandLineWorks = async ({ fleet }: System): Promise<void> => {
  for (const args of [
    ['queues', 'list'],
    ['doctor', '--json'],
  ]) {
    const { exited, output } = fleet.cli(...args);
    await exited;
    expect(output()).to.match(/events|"Redis"/).and.not.match(/Redis does not answer|Redis may lose jobs/);
  }
};
