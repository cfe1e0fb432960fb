/**
 * Measures the MongoDB commands and the processor time that first messages of conversations and later messages take,
 * with 20 connections, summed over an API, a worker with its mail sender, mongod and Redis. What the processes use when
 * idle is subtracted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { ProjectUser } from '#shared/models/project-user.ts';
import type { Caller } from '../support/api.ts';
import { aOnePersonProject } from '../support/counted-operations.ts';
import { aFleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aVisitor } from '../support/people.ts';
import { startProductionFleet, SWEEP_INTERVAL_SECONDS } from './parts/production-fleet.ts';
import { formatTotals, perOperation, sumOf, usageDuring } from './parts/usage.ts';

const CONNECTIONS = 20;
const PROJECT_COUNT = 20;
/** Each first message causes an email to the teammate, and the emails that a teammate receives per hour are limited. */
const CONVERSATIONS_PER_PROJECT = 20;
const MESSAGES_PER_CONVERSATION = 4;
/** Each sweep runs once in this time. */
const IDLE_MS = SWEEP_INTERVAL_SECONDS * 1000;
/** All effects of an operation occur within this time. Analytics, for example, gather events for a second. */
const AFTERMATH_MS = 4000;

/** A new conversation: its project, the path of its messages, and the visitor who opens it. */
interface Scene {
  project: string;
  path: string;
  visitor: Caller;
}

const createScenes = async (): Promise<Scene[]> => {
  const projects = await Promise.all(times(PROJECT_COUNT, aOnePersonProject));
  const ids = projects.map(({ id }) => id);
  await ProjectUser.updateMany({ id_project: { $in: ids } }, { max_assigned_chat: 1000 });
  return Promise.all(
    times(PROJECT_COUNT * (CONVERSATIONS_PER_PROJECT + 1), async (index) => {
      const project = ids[index % PROJECT_COUNT] as string;
      const path = `/v3/${project}/requests/support-group-${randomUUID()}/messages`;
      return { project, path, visitor: await aVisitor(project) };
    }),
  );
};

const startFleet = async () => {
  const { fleet, smtp, api, worker, close } = await startProductionFleet(aFleet);
  const redis = Number(/process_id:(\d+)/.exec(await fleet.redis.info('server'))?.[1]);
  return { smtp, url: api.url, pids: { api: api.pid, worker: worker.pid, redis }, close };
};

const createClient = (url: string) => {
  const dispatcher = new Agent({ connections: CONNECTIONS });
  const send = async (path: string, { authorization }: Caller, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
    const reply = await request(url + path, { ...sent, dispatcher, headers });
    const text = await reply.body.text();
    expect(reply.statusCode, text).to.equal(200);
  };
  return {
    /** Makes a call after which the access cache of the API contains the visitor. */
    callOnce: ({ project, visitor }: Scene) => send(`/v3/${project}/requests/me`, visitor),
    post: ({ path, visitor }: Scene) => send(path, visitor, { text: 'Where is my order?' }),
  };
};

describe('Commands and processor time per operation', function commands() {
  this.timeout(240_000);
  let fleet: Awaited<ReturnType<typeof startFleet>>;

  before(async () => {
    fleet = await startFleet();
  });
  after(() => fleet.close());

  const measure = (work: () => Promise<unknown>) => usageDuring(fleet.pids, work);

  it('prints the commands and the processor time of a first message and of a later message', async () => {
    const client = createClient(fleet.url);
    const scenes = await createScenes();
    const [warmUp, measured] = [scenes.slice(0, PROJECT_COUNT), scenes.slice(PROJECT_COUNT)];
    const postAll = async (all: Scene[]) => {
      const queue = [...all];
      const caller = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await client.post(next);
      };
      await Promise.all(times(CONNECTIONS, caller));
      await sleep(AFTERMATH_MS);
    };
    for (const scene of scenes) await client.callOnce(scene);
    await postAll(warmUp);
    // In this time, a sweep merges the counter rows of the new conversations. This is not counted as idle usage.
    await sleep(IDLE_MS);
    const idle = await measure(() => sleep(IDLE_MS));
    console.log(`      idle: ${(sumOf(idle.commands) / idle.seconds).toFixed(1)} commands per second`);
    const report = async (name: string, operations: Scene[]): Promise<void> => {
      const { commands, cpuMs } = perOperation(await measure(() => postAll(operations)), idle, operations.length);
      console.log(`      ${name}: ${sumOf(commands).toFixed(1)} commands (${formatTotals(commands)})`);
      console.log(`        ${sumOf(cpuMs).toFixed(1)} ms of processor time (${formatTotals(cpuMs)})`);
    };
    const mailsBefore = fleet.smtp.mails.length;
    await report('First message', measured);
    expect(fleet.smtp.mails.length - mailsBefore).to.equal(measured.length);
    await report('Message', times(MESSAGES_PER_CONVERSATION, () => measured).flat());
  });
});
