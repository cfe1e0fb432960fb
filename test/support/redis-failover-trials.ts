/**
 * Trials that kill masters of Redis under load: each job takes effect exactly once, and rate limits, the queue board
 * (the page of all queues for instance administrators) and the command line keep working.
 */
import { expect } from 'chai';
import { call } from './api.ts';
import { times } from './fleet-fixture.ts';
import { failOverUnderLoad, type FailoverPlan, type System } from './failover-trials.ts';
import { renameDuring } from './listener-trials.ts';
import { anInstanceAdmin } from './people.ts';
import type { Disturbance } from './replica-set.ts';
import { withBasicAuth } from './retrying-clients.ts';

/** The sign-in attempts per minute that the processes of a system allow together. */
export const SIGNIN_LIMIT = 5;

/** The settings of processes whose shared rate limit is tested. */
export const LIMIT_SETTINGS = { SIGNIN_LIMIT_POINTS: String(SIGNIN_LIMIT) };

/**
 * Kills masters while messages are posted and leads are renamed. Expects that each message arrives once and that each
 * renaming is handled once. `maxGapMs` is the longest pause between renamings of a lead. Returns a summary.
 */
export const replaceMastersUnderLoad = async (
  system: System,
  killMaster: () => Promise<Disturbance>,
  { maxGapMs, ...plan }: FailoverPlan & { maxGapMs: number },
): Promise<string> => {
  let summary = '';
  const renamings = await renameDuring({ maxGapMs }, async () => {
    summary = await failOverUnderLoad(system, killMaster, plan);
  });
  return `${summary}; ${renamings} renamings, each handled once`;
};

/**
 * Expects that the processes count sign-in attempts together: of 2 * SIGNIN_LIMIT attempts, all after the first
 * SIGNIN_LIMIT return 429.
 */
export const expectSharedLimit = async ({ url }: System): Promise<void> => {
  const signIn = async (email: string) => {
    const body = { email, password: 'wrong password' };
    return (await call('POST', `${await url()}/v3/auth/signin`, { body, checkOpenapi: false })).status;
  };
  const statuses: number[] = [];
  // Different accounts, because repeated guesses at the password of one account are slowed down.
  for (const attempt of times(2 * SIGNIN_LIMIT, Number)) statuses.push(await signIn(`nobody-${attempt}@example.com`));
  expect(statuses[0]).to.equal(401);
  expect(statuses.slice(SIGNIN_LIMIT)).to.deep.equal(times(SIGNIN_LIMIT, () => 429));
};

/** Expects that the queue board shows the queues. */
export const expectBoardWorks = async ({ url }: System): Promise<void> => {
  const { authorization } = withBasicAuth(await anInstanceAdmin());
  const reply = await call('GET', `${await url()}/admin/queues/api/queues`, { headers: { authorization } });
  expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
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
    expect(output())
      .to.match(/events|"Redis"/)
      .and.not.match(/Redis does not answer|Redis may lose jobs/);
  }
};
