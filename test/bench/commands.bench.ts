/**
 * Counts the MongoDB commands and the processor time of first messages and messages over all processes, with 20
 * connections: an API, a worker with its mail sender, mongod and Redis. What runs without any operation is subtracted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { Agent, request } from 'undici';
import { ProjectUser } from '#shared/models/project-user.ts';
import { config } from '#shared/config.ts';
import type { Caller } from '../support/api.ts';
import { aOnePersonProject } from '../support/counted-operations.ts';
import { aFleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aVisitor } from '../support/people.ts';
import { cpuMsOf } from '../support/process-cpu.ts';
import { anSmtpServer } from '../support/smtp-server.ts';

const CONNECTIONS = 20;
const PROJECT_COUNT = 20;
/** Below the limit of e-mails that a teammate receives per hour. */
const CONVERSATIONS_PER_PROJECT = 20;
const MESSAGES_PER_CONVERSATION = 4;
const IDLE_MS = 5000;
/** After an operation, its last effects are done within this time. */
const AFTERMATH_MS = 4000;

/** Commands that drivers and servers send on their own. */
const INTERNAL = /^(hello|isMaster|ping|serverStatus|endSessions|_|repl|buildInfo|saslStart|saslContinue|connectionStatus)/;

type Totals = Record<string, number>;

const commandTotals = async (): Promise<{ pid: number; totals: Totals }> => {
  const status = await mongoose.connection.getClient().db('admin').command({ serverStatus: 1 });
  const commands = status.metrics.commands as Record<string, { total?: number }>;
  const counted = Object.entries(commands).filter(([name, { total }]) => total && !INTERNAL.test(name));
  return { pid: status.pid as number, totals: Object.fromEntries(counted.map(([name, { total }]) => [name, Number(total)])) };
};

interface Usage {
  at: number;
  commands: Totals;
  cpuMs: Totals;
}

const difference = (before: Totals, after: Totals): Totals =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

const print = (values: Totals): string =>
  Object.entries(values)
    .filter(([, value]) => value > 0.05)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(', ');

describe('Commands and processor time per operation', function commands() {
  this.timeout(240_000);

  it('prints those of a first message and of a message', async () => {
    const smtp = await anSmtpServer();
    const secret = randomUUID().repeat(2);
    config.JWT_SECRET = secret; // the tokens that this process issues are valid in the fleet
    const fleet = await aFleet({
      ...{ JWT_SECRET: secret, SMTP_URL: smtp.url, NODE_ENV: 'production' },
      ...{ SWEEP_INTERVAL_SECONDS: '15', LEASE_SECONDS: '60', JOB_TIME_SLICE_SECONDS: '2' },
    });
    const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
    const redisPid = Number(/process_id:(\d+)/.exec(await fleet.redis.info('server'))?.[1]);
    const dispatcher = new Agent({ connections: CONNECTIONS });
    const send = async (method: 'GET' | 'POST', path: string, { authorization }: Caller, body?: object) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const reply = await request(api.url + path, { method, dispatcher, headers, body: body && JSON.stringify(body) });
      const text = await reply.body.text();
      expect(reply.statusCode, text).to.equal(200);
    };

    const projects = await Promise.all(times(PROJECT_COUNT, aOnePersonProject));
    await ProjectUser.updateMany({ id_project: { $in: projects.map(({ id }) => id) } }, { max_assigned_chat: 1000 });
    const scenes = await Promise.all(
      times(PROJECT_COUNT * (CONVERSATIONS_PER_PROJECT + 1), async (index) => {
        const project = projects[index % PROJECT_COUNT] as (typeof projects)[number];
        const path = `/v3/${project.id}/requests/support-group-${randomUUID()}/messages`;
        return { project, path, visitor: await aVisitor(project.id) };
      }),
    );
    for (const { project, visitor } of scenes) await send('GET', `/v3/${project.id}/requests/me`, visitor);
    const post = ({ path, visitor }: (typeof scenes)[number]) =>
      send('POST', path, visitor, { text: 'Where is my order?' });
    const [warmUp, measured] = [scenes.slice(0, PROJECT_COUNT), scenes.slice(PROJECT_COUNT)];
    await Promise.all(warmUp.map(post));
    await sleep(AFTERMATH_MS);

    const usage = async (): Promise<Usage> => {
      const { pid, totals } = await commandTotals();
      const pids = { api: api.pid, worker: worker.pid, mongod: pid, redis: redisPid };
      const cpuMs = Object.fromEntries(Object.entries(pids).map(([name, each]) => [name, cpuMsOf(each)]));
      return { at: Date.now(), commands: totals, cpuMs };
    };
    const during = async (work: () => Promise<unknown>) => {
      const before = await usage();
      await work();
      const after = await usage();
      const seconds = (after.at - before.at) / 1000;
      const [commands, cpuMs] = [difference(before.commands, after.commands), difference(before.cpuMs, after.cpuMs)];
      return { seconds, commands, cpuMs };
    };
    const idle = await during(() => sleep(IDLE_MS));
    const perSecond = (values: Totals): Totals =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value / idle.seconds]));
    const sum = (values: Totals): number => Object.values(values).reduce((total, value) => total + value, 0);
    console.log(`      idle, per second: ${sum(perSecond(idle.commands)).toFixed(1)} commands`);

    const report = async (what: string, operations: (typeof scenes)[number][]) => {
      const queue = [...operations];
      const caller = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await post(next);
      };
      const { seconds, commands, cpuMs } = await during(async () => {
        await Promise.all(times(CONNECTIONS, caller));
        await sleep(AFTERMATH_MS);
      });
      const perOperation = (values: Totals, idleValues: Totals): Totals =>
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            (value - (perSecond(idleValues)[name] ?? 0) * seconds) / operations.length,
          ]),
        );
      const [own, cpu] = [perOperation(commands, idle.commands), perOperation(cpuMs, idle.cpuMs)];
      console.log(`      ${what}: ${sum(own).toFixed(1)} commands (${print(own)})`);
      console.log(`        ${sum(cpu).toFixed(1)} ms of CPU (${print(cpu)}); ${(seconds * 1000).toFixed(0)} ms in all`);
      return { commands: sum(own), cpu: sum(cpu) };
    };
    await report('first message', measured);
    expect(smtp.mails.length).to.be.at.least(measured.length);
    await report('message', times(MESSAGES_PER_CONVERSATION, () => measured).flat());
    await fleet.close();
  });
});
