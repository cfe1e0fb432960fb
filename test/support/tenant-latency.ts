/** Two tenants of one API and one worker: one attacks, the other's waiting times are measured. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flood, FloodRequest } from '../bench/parts/flood.ts';
import { type Caller, call } from './api.ts';
import { aBot, aBotServer } from './bots.ts';
import { aFleet } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aProject, aTeammate, PASSWORD, type Person } from './people.ts';
import { openStream } from './stream-client.ts';

const TEAMMATE_COUNT = 10;
const ATTACKER_ADDRESS = '127.0.0.2';

/** The settings of the measured system: its own limits, as a default installation has them. */
const DEFAULT_LIMITS = {
  RATE_LIMIT_POINTS: '300',
  SIGNIN_LIMIT_POINTS: '1000',
  NODE_ENV: 'production',
  FETCH_ALLOW: '127.0.0.1',
};

const signIn = async (url: string, { id, email }: Person): Promise<Caller> => {
  const { body } = await call('POST', `${url}/v3/auth/signin`, { body: { email, password: PASSWORD } });
  return { id, authorization: body.token };
};

/** A project with an agent, and a way to make visitors, all signed in at the API at `url`. */
export const aTenant = async ({ url, slowUrl }: { url: string; slowUrl: string }) => {
  const { project, agent } = await aProject();
  const visitor = async (): Promise<Caller> => {
    const { body } = await call('POST', `${url}/v3/auth/signinAnonymously`, { body: { id_project: project.id } });
    return { id: body.user._id, authorization: body.token };
  };
  return { url, slowUrl, id: project.id, root: `/v3/${project.id}`, agent: await signIn(url, agent), visitor };
};

/** A tenant. */
export type Tenant = Awaited<ReturnType<typeof aTenant>>;

/** Milliseconds that each kind of operation took. */
export type LatencySamples = Record<'get' | 'event' | 'bot', number[]>;

/** Calls `work` every `periodMs` until the end, however long each call takes. */
const callPeriodically = async (periodMs: number, end: number, work: (n: number) => Promise<void>): Promise<void> => {
  const open = new Set<Promise<void>>();
  for (let n = 0; performance.now() < end; n += 1) {
    const one = work(n).finally(() => open.delete(one));
    open.add(one);
    await sleep(periodMs);
  }
  await Promise.all(open);
};

/** Resolves with the time at which each name was seen. */
const nameWatch = () => {
  const waiting = new Map<string, (at: number) => void>();
  const seen = new Map<string, number>();
  return {
    see: (name: string) => {
      seen.set(name, performance.now());
      waiting.get(name)?.(performance.now());
    },
    of: (name: string): Promise<number> =>
      new Promise((resolve) => {
        const at = seen.get(name);
        if (at === undefined) waiting.set(name, resolve);
        else resolve(at);
      }),
  };
};

/** The tenant whose waiting times are measured: teammates who read and write, a stream, a bot. */
export const aNeighbour = async (url: string) => {
  const { project } = await aProject();
  const team = await Promise.all(times(TEAMMATE_COUNT, async () => signIn(url, await aTeammate(project.id, 'agent'))));
  const teammateHeaders = (n: number) => ({ authorization: (team[n % TEAMMATE_COUNT] as Caller).authorization });
  const called = nameWatch();
  const server = await aBotServer({ onCall: ({ headers }) => called.see(String(headers['webhook-id'])) });
  const bot = await aBot(project.id, { type: 'external', url: server.url });
  const root = `${url}/v3/${project.id}/requests`;
  const postMessage = async (n: number, one: string, more: object = {}): Promise<string> => {
    const reply = await call('POST', `${one}/messages`, {
      body: { text: `Message ${n}`, ...more },
      headers: teammateHeaders(n),
    });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return reply.body._id;
  };
  const plain = `${root}/support-group-${randomUUID()}`;
  const withBot = `${root}/support-group-${randomUUID()}`;
  await postMessage(0, plain);
  await postMessage(0, withBot, { participants: [`bot_${bot.id}`] });
  const published = nameWatch();
  const stream = await openStream(team[0] as Caller, project.id, { url });
  void (async () => {
    for (let event = await stream.next(); event; event = await stream.next())
      if (event.event === 'message.create') published.see(event.data.payload._id);
  })().catch(() => undefined);
  const timed = async (work: () => Promise<number>): Promise<number> => {
    const begun = performance.now();
    return (await work()) - begun;
  };
  const read = async (n: number): Promise<number> => {
    const { status, text } = await call('GET', plain, { headers: teammateHeaders(n) });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return performance.now();
  };
  /** One operation of each kind, by the `n`th teammate; returns its duration in milliseconds. */
  const operations: Record<keyof LatencySamples, (n: number) => Promise<number>> = {
    get: (n) => timed(() => read(n)),
    event: (n) => timed(async () => published.of(await postMessage(n, plain))),
    bot: (n) => timed(async () => called.of(await postMessage(n, withBot))),
  };
  /** Measures each kind of operation during `seconds`. */
  const measure = async (seconds: number): Promise<LatencySamples> => {
    const end = performance.now() + seconds * 1000;
    const samples: LatencySamples = { get: [], event: [], bot: [] };
    const sample = (kind: keyof LatencySamples, periodMs: number) =>
      callPeriodically(periodMs, end, async (n) => void samples[kind].push(await operations[kind](n)));
    await Promise.all([sample('get', 50), sample('event', 200), sample('bot', 400)]);
    return samples;
  };
  return { operations, measure, close: () => stream.leave() };
};

/** A bot server of an attacker, which responds after 3 s. */
const aSlowServer = () => aBotServer({ delayMs: 3000 });

/** One API and one worker with default limits, and their attackers. */
export const aSharedSystem = async () => {
  const fleet = await aFleet(DEFAULT_LIMITS);
  const [{ url, output }] = await Promise.all([fleet.api(), fleet.worker()]);
  const slow = await aSlowServer();
  return {
    url,
    output,
    tenant: () => aTenant({ url, slowUrl: slow.url }),
    neighbour: () => aNeighbour(url),
    close: fleet.close,
  };
};

/** Sends the requests from another process and address until it is stopped; `stop` returns the counts of statuses. */
export const startFlood = async (url: string, requests: FloodRequest[], connections = 8) => {
  const child = fork(new URL('../bench/parts/flood.ts', import.meta.url));
  await once(child, 'message');
  child.send({ url, from: ATTACKER_ADDRESS, connections, requests } satisfies Flood);
  const currentCounts = async (): Promise<Record<string, number>> => {
    child.send('counts');
    const [counts] = await once(child, 'message');
    return counts as Record<string, number>;
  };
  return {
    /** Waits until the attacker has received a response, and ends the attack. */
    stop: async (): Promise<Record<string, number>> => {
      let counts = await currentCounts();
      for (; Object.keys(counts).length === 0; counts = await currentCounts()) await sleep(50);
      child.kill('SIGKILL');
      return counts;
    },
  };
};
