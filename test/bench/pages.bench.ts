import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { find as findNamespace } from '#shared/domain/knowledge/namespaces.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { aProject } from '../support/people.ts';
import { expectGoal } from './parts/goals.ts';
import { runInterleaved } from './parts/interleaved-rounds.ts';

const PAGE_COUNT = 400;
const ROUND_COUNT = 5;
const TICKS_PER_SECOND = 100;

const startChild = async (file: string, env: Record<string, string> = {}) => {
  const started = fork(new URL(file, import.meta.url), { env: { ...process.env, LOG_LEVEL: 'warn', ...env } });
  const [message] = await once(started, 'message');
  return { process: started, message: message as Record<string, number> };
};

const ask = async (bare: ChildProcess, message: object): Promise<number> => {
  bare.send(message);
  return ((await once(bare, 'message')) as [{ rate: number }])[0].rate;
};

/** Imports pages. Returns how many are indexed per second, from the call that adds them until the last is indexed. */
const importPages = async (urls: string[]): Promise<number> => {
  const { project } = await aProject();
  await findNamespace(project.id, project.id); // creates the namespace, as the endpoints do before they add pages
  const started = performance.now();
  await addMany(
    project.id,
    urls.map((source) => ({ namespace: project.id, type: 'url', source, name: source })),
  );
  while ((await KbContent.countDocuments({ id_project: project.id, status: CONTENT_STATUS.indexed })) < urls.length)
    await sleep(50);
  return urls.length / ((performance.now() - started) / 1000);
};

/** CPU time of a process so far, in seconds. Available only on Linux. */
const cpuSecondsOf = ({ pid }: ChildProcess): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

const stop = async (worker: ChildProcess): Promise<void> => {
  worker.kill('SIGTERM');
  await once(worker, 'close');
};

describe('Page import benchmark', function () {
  this.timeout(600_000);
  let outside: Awaited<ReturnType<typeof startChild>>;
  let env: Record<string, string>;
  let round = 0;

  before(async () => {
    outside = await startChild('./parts/external-services.ts');
    env = {
      OPENAI_BASE_URL: `http://127.0.0.1:${outside.message.provider}/v1`,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'instant',
      EMBEDDING_DIMENSION: '384',
    };
  });
  after(() => outside.process.kill('SIGKILL'));

  /** Returns the URLs of pages that no earlier round has imported, so that nothing is cached. */
  const newUrls = () => {
    round += 1;
    return Array.from({ length: PAGE_COUNT }, (_, page) => `http://127.0.0.1:${outside.message.site}/${round}/${page}`);
  };
  const startWorker = async () => (await startChild('../../workers/main.ts', env)).process;

  it('importing pages reaches 75% of the rate of a bare loop that fetches, parses, embeds and inserts with the same libraries', async () => {
    const [bare, worker] = await Promise.all([startChild('./parts/bare-import.ts', env), startWorker()]);
    const {
      ours,
      bare: bareRate,
      ratio,
    } = await runInterleaved(
      ROUND_COUNT,
      () => importPages(newUrls()),
      () => ask(bare.process, { urls: newUrls() }),
    );
    bare.process.kill('SIGKILL');
    await stop(worker);
    const rates = { ours: `${ours.toFixed(0)} /s`, reference: `${bareRate.toFixed(0)} /s` };
    expectGoal({ what: 'Pages imported', ...rates, value: ratio, goal: { atLeast: 0.75 } });
  });

  it('two workers use at most 1.15 times as much CPU time per page as one worker', async function measure() {
    if (process.platform !== 'linux') return this.skip();
    const workers = [await startWorker()];
    /** Milliseconds of CPU time per page, summed over the workers. */
    const cpuPerPage = async (): Promise<number> => {
      const before = workers.map(cpuSecondsOf);
      await importPages(newUrls());
      const used = workers.map((worker, index) => cpuSecondsOf(worker) - (before[index] as number));
      return (used.reduce((sum, each) => sum + each, 0) * 1000) / PAGE_COUNT;
    };
    const withTwo = async (): Promise<number> => {
      workers.push(await startWorker());
      await importPages(newUrls()); // warms up the second worker
      const ms = await cpuPerPage();
      await stop(workers.pop() as ChildProcess);
      return ms;
    };
    const { ours: two, bare: one, ratio } = await runInterleaved(ROUND_COUNT, withTwo, cpuPerPage);
    await stop(workers[0] as ChildProcess);
    const times = { ours: `two workers ${two.toFixed(1)} ms`, reference: `one worker ${one.toFixed(1)} ms` };
    expectGoal({ what: 'CPU time per page', ...times, value: ratio, goal: { atMost: 1.15 } });
  });
});
