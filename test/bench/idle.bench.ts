/** Measures the memory, processor time and commands of an idle system, and how fast the API starts. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expectGoal } from './parts/goals.ts';
import { runInterleaved } from './parts/interleaved-rounds.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import {
  formatTotals,
  mapTotals,
  redisPid,
  residentMb,
  residentMbTogether,
  sumOf,
  usageDuring,
} from './parts/usage.ts';

/** Memory of a process in MB: before it embeds a text, while the model is loaded, and after the model is unloaded. */
interface ModelMemory {
  before: number;
  loaded: number;
  unloaded: number;
}

/** Within this time, the processes release the memory that they needed only at startup. */
const SETTLE_MS = 45_000;
const IDLE_MS = 60_000;
const START_ROUNDS = 7;

const measureModel = async (): Promise<ModelMemory> => {
  const child = fork(new URL('./parts/embedding-memory.ts', import.meta.url), { env: process.env });
  const [measured] = (await once(child, 'message')) as [ModelMemory];
  child.kill('SIGKILL');
  return measured;
};

describe('Benchmark of an idle system', function () {
  this.timeout(240_000);
  const servers: ServerProcess[] = [];
  const used = { commands: 0, cpuPercent: 0, residentMb: 0 };

  before(async () => {
    const [api, worker] = [await startServer('../../api/main.ts'), await startServer('../../workers/main.ts')];
    servers.push(api, worker);
    const pids = { api: api.pid, worker: worker.pid };
    const services = { ...pids, redis: await redisPid() };
    await sleep(SETTLE_MS);
    const { commands, cpuMs, seconds } = await usageDuring(services, () => sleep(IDLE_MS));
    used.commands = sumOf(commands) / seconds;
    used.cpuPercent = sumOf(cpuMs) / (10 * seconds);
    used.residentMb = residentMbTogether(Object.values(pids));
    console.log(`      commands per second: ${formatTotals(mapTotals(commands, (count) => count / seconds))}`);
    console.log(`      % of a core: ${formatTotals(mapTotals(cpuMs, (ms) => ms / (10 * seconds)))}`);
    console.log(`      ${residentMb(services)}`);
  });
  after(() => {
    for (const { stop } of servers) stop();
  });

  it('an API and a worker need at most 350 MB of memory', () => {
    const value = used.residentMb;
    expectGoal({ what: 'Memory of an API and a worker', ours: 'idle', value, unit: ' MB', goal: { atMost: 350 } });
  });

  it('an API and a worker, one of which has unloaded its embedding model, need at most 350 MB of memory', async function measure() {
    if (!process.env.EMBEDDING_MODEL_FILE) return this.skip();
    const { before, loaded, unloaded } = await measureModel();
    console.log(
      `      model: ${before.toFixed(0)} MB, loaded ${loaded.toFixed(0)} MB, unloaded ${unloaded.toFixed(0)} MB`,
    );
    const value = used.residentMb + unloaded - before;
    expectGoal({
      what: 'Memory after the model was unloaded',
      ours: 'idle',
      value,
      unit: ' MB',
      goal: { atMost: 350 },
    });
  });

  it('an API, a worker, MongoDB and Redis use at most 1% of a core', () => {
    const value = used.cpuPercent;
    expectGoal({ what: 'Processor time of the whole system', ours: 'idle', value, unit: ' %', goal: { atMost: 1 } });
  });

  it('an API and a worker send at most 20 commands per second to MongoDB', () => {
    const value = used.commands;
    expectGoal({ what: 'Commands of an API and a worker', ours: 'idle', value, unit: ' /s', goal: { atMost: 20 } });
  });
});

describe('Startup benchmark', function () {
  this.timeout(240_000);

  it('starting the API takes at most 500 ms longer than starting a process that only imports the modules of the API', async () => {
    const start = async (file: string, connect: (url: string) => Promise<unknown>): Promise<number> => {
      const started = performance.now();
      const { url, stop, child } = await startServer(file);
      await connect(url);
      const ms = performance.now() - started;
      stop();
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
      return ms;
    };
    const { ours, bare, difference } = await runInterleaved(
      START_ROUNDS,
      () => start('../../api/main.ts', async (url) => (await request(`${url}/health/live`)).body.dump()),
      () => start('./parts/bare-imports.ts', async () => undefined),
    );
    const times = { ours: `${ours.toFixed(0)} ms`, reference: `${bare.toFixed(0)} ms` };
    expectGoal({ what: 'Start of the API', ...times, value: difference, unit: ' ms', goal: { atMost: 500 } });
  });
});
