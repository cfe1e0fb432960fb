/** Two tenants of one API and one worker: one tenant attacks, and the latency of the other tenant is measured. */
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

const ATTACKER_ADDRESS = '127.0.0.2';

/**
 * The environment of the measured processes: production mode with the default rate limits, which the test suite raises
 * elsewhere. Only the limit on sign-ins is higher than the default.
 */
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

interface TenantOptions {
  url: string;
  slowUrl: string;
  /** The size of attacks as a fraction of the full size: 1 in the benchmark, less in the suite. */
  scale: number;
}

/** A project with an agent and a function that creates visitors, all signed in to the API at `url`. */
export const aTenant = async ({ url, slowUrl, scale }: TenantOptions) => {
  const { project, agent } = await aProject();
  const visitor = async (): Promise<Caller> => {
    const { body } = await call('POST', `${url}/v3/auth/signinAnonymously`, { body: { id_project: project.id } });
    return { id: body.user._id, authorization: body.token };
  };
  /** Calls `make` for each part of an attack that has `count` parts at full size. */
  const scaled = <T>(count: number, make: (index: number) => T): T[] => times(Math.ceil(count * scale), make);
  return { url, slowUrl, id: project.id, root: `/v3/${project.id}`, agent: await signIn(url, agent), visitor, scaled };
};

export type Tenant = Awaited<ReturnType<typeof aTenant>>;

/**
 * Durations in milliseconds: of reading a conversation (`get`), and from posting a message until the stream sends it
 * (`event`) or the bot is called (`bot`).
 */
export type LatencySamples = Record<'get' | 'event' | 'bot', number[]>;

/** Calls `work` every `periodMs` until `end` (by `performance.now()`), without waiting for the previous call. */
const callPeriodically = async (periodMs: number, end: number, work: (n: number) => Promise<void>): Promise<void> => {
  const open = new Set<Promise<void>>();
  for (let n = 0; performance.now() < end; n += 1) {
    const one = work(n).finally(() => open.delete(one));
    open.add(one);
    await sleep(periodMs);
  }
  await Promise.all(open);
};

/** Records when each id is seen; `timeOf` waits for an id and resolves with the time. */
const idWatch = () => {
  const waiting = new Map<string, (seenAt: number) => void>();
  const seen = new Map<string, number>();
  return {
    markSeen: (id: string) => {
      seen.set(id, performance.now());
      waiting.get(id)?.(performance.now());
    },
    timeOf: (id: string): Promise<number> =>
      new Promise((resolve) => {
        const seenAt = seen.get(id);
        if (seenAt === undefined) waiting.set(id, resolve);
        else resolve(seenAt);
      }),
  };
};

/** The size of the measured tenant. */
export interface NeighbourSize {
  teammates: number;
  /**
   * The number of conversations without a bot, and the number of those with one. Messages are spread over them, because
   * no real conversation gets ten messages per second.
   */
  conversations: number;
}

/** The tenant whose latency is measured: teammates who read and write, a stream, and a bot. */
export const aNeighbour = async (url: string, { teammates, conversations }: NeighbourSize) => {
  const { project } = await aProject();
  const team = await Promise.all(times(teammates, async () => signIn(url, await aTeammate(project.id, 'agent'))));
  const teammateHeaders = (n: number) => ({ authorization: (team[n % teammates] as Caller).authorization });
  const called = idWatch();
  const server = await aBotServer({ onCall: ({ headers }) => called.markSeen(String(headers['webhook-id'])) });
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
  /** Opens conversations. Returns a function that maps `n` to the URL of a conversation, in turn. */
  const openConversations = async (more: object = {}) => {
    const paths = times(conversations, () => `${root}/support-group-${randomUUID()}`);
    await Promise.all(paths.map((one, n) => postMessage(n, one, more)));
    return (n: number): string => paths[n % conversations] as string;
  };
  const plain = await openConversations();
  const withBot = await openConversations({ participants: [`bot_${bot.id}`] });
  const published = idWatch();
  const stream = await openStream(team[0] as Caller, project.id, { url });
  void (async () => {
    for (let event = await stream.next(); event; event = await stream.next())
      if (event.event === 'message.create') published.markSeen(event.data.payload._id);
  })().catch(() => undefined);
  const measureMs = async (work: () => Promise<number>): Promise<number> => {
    const startedAt = performance.now();
    return (await work()) - startedAt;
  };
  const read = async (n: number): Promise<number> => {
    const { status, text } = await call('GET', plain(n), { headers: teammateHeaders(n) });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return performance.now();
  };
  /** The kinds of operations. Each is performed as the `n`th teammate and returns its duration in milliseconds. */
  const operations: Record<keyof LatencySamples, (n: number) => Promise<number>> = {
    get: (n) => measureMs(() => read(n)),
    event: (n) => measureMs(async () => published.timeOf(await postMessage(n, plain(n)))),
    bot: (n) => measureMs(async () => called.timeOf(await postMessage(n, withBot(n)))),
  };
  /** Measures each kind of operation for this number of seconds. */
  const measure = async (seconds: number): Promise<LatencySamples> => {
    const end = performance.now() + seconds * 1000;
    const samples: LatencySamples = { get: [], event: [], bot: [] };
    const sample = (kind: keyof LatencySamples, periodMs: number) =>
      callPeriodically(periodMs, end, async (n) => void samples[kind].push(await operations[kind](n)));
    await Promise.all([sample('get', 50), sample('event', 100), sample('bot', 200)]);
    return samples;
  };
  return { operations, measure, close: () => stream.disconnect() };
};

/** The attacker's bot server, which responds after 3 s. */
const aSlowServer = () => aBotServer({ delayMs: 3000 });

/** One API and one worker with default limits; `tenant` creates an attacker, `neighbour` the measured tenant. */
export const aSharedSystem = async () => {
  const fleet = await aFleet(DEFAULT_LIMITS);
  const [{ url, output }] = await Promise.all([fleet.api(), fleet.worker()]);
  const slow = await aSlowServer();
  return {
    url,
    output,
    tenant: (scale = 1) => aTenant({ url, slowUrl: slow.url, scale }),
    neighbour: (size: NeighbourSize) => aNeighbour(url, size),
    close: fleet.close,
  };
};

/** A process that sends the requests of attacks, one attack after the other, from its own IP address. */
export const anAttacker = async (url: string) => {
  const child = fork(new URL('../bench/parts/flood.ts', import.meta.url));
  await once(child, 'message');
  const ask = async (message: 'counts' | 'stop'): Promise<Record<string, number>> => {
    child.send(message);
    const [counts] = await once(child, 'message');
    return counts as Record<string, number>;
  };
  return {
    /** Sends the requests repeatedly. */
    start: (requests: FloodRequest[], connections = 8): void =>
      void child.send({ url, from: ATTACKER_ADDRESS, connections, requests } satisfies Flood),
    /** Waits for the first response, and ends the attack; returns the number of responses by status. */
    stop: async (): Promise<Record<string, number>> => {
      while (Object.keys(await ask('counts')).length === 0) await sleep(50);
      return ask('stop');
    },
    close: (): void => void child.kill('SIGKILL'),
  };
};
