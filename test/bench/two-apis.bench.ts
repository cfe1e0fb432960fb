/** Compares the processor time of calls to two API processes with that of calls to one, summed over all processes. */
import { randomUUID } from 'node:crypto';
import type { Options, Request } from 'autocannon';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { formatLatency, sendCalls } from './parts/compare-servers.ts';
import { expectGoal } from './parts/goals.ts';
import { runInterleaved } from './parts/interleaved-rounds.ts';
import { startServer } from './parts/server-process.ts';
import { redisPid, sumOf } from './parts/usage.ts';
import { usageMeter } from './parts/usage-meter.ts';

const ROUND_COUNT = 5;
const CONNECTIONS = 20;
const CONVERSATION_COUNT = 24;

/** Calls to one project, which alternately post a message and read a conversation. */
const aMixedLoad = async (): Promise<Partial<Options>> => {
  const { project, admin } = await aProject();
  const { authorization } = admin;
  const paths = times(CONVERSATION_COUNT, () => `/v3/${project.id}/requests/support-group-${randomUUID()}`);
  for (const path of paths) expect((await api(admin).post(`${path}/messages`, { text: 'Hello' })).status).to.equal(200);
  let index = 0;
  const nextPath = (): string => paths[index++ % CONVERSATION_COUNT] as string;
  const read = (request: Request) => ({ ...request, method: 'GET' as const, path: nextPath(), body: undefined });
  const post = (request: Request) => ({ ...request, path: `${nextPath()}/messages` });
  return {
    headers: { authorization, 'content-type': 'application/json' },
    requests: [
      { method: 'POST', body: JSON.stringify({ text: 'Where is my order?' }), setupRequest: post },
      { method: 'GET', setupRequest: read },
    ],
  };
};

describe('Benchmark of two API processes', () => {
  it('two API processes use at most 1.15 times as much CPU time per request as one', async () => {
    const load = await aMixedLoad();
    const [first, second] = await Promise.all([startServer('../../api/main.ts'), startServer('../../api/main.ts')]);
    const pids = { first: first.pid, second: second.pid, redis: await redisPid() };
    const measure = (servers: { url: string }[]) => {
      const callTimes: number[] = [];
      const meter = usageMeter(pids);
      const connections = CONNECTIONS / servers.length;
      const send = () => Promise.all(servers.map(({ url }) => sendCalls({ ...load, url, connections }, callTimes)));
      return {
        cpuPerCall: async (): Promise<number> => {
          const before = callTimes.length;
          await meter.measure(send);
          return sumOf(meter.lastRound().cpuMs) / (callTimes.length - before);
        },
        describe: () => `${formatLatency(callTimes)}; per call ${meter.describe(callTimes.length)}`,
      };
    };
    const [two, one] = [measure([first, second]), measure([first])];
    const { ours, bare, ratio } = await runInterleaved(ROUND_COUNT, two.cpuPerCall, one.cpuPerCall);
    console.log(`      two: ${two.describe()}\n      one: ${one.describe()}`);
    const figures = { ours: `two ${ours.toFixed(2)} ms`, reference: `one ${bare.toFixed(2)} ms` };
    expectGoal({ what: 'CPU time per request', ...figures, value: ratio, goal: { atMost: 1.15 } });
    first.stop();
    second.stop();
  });
});
