import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { aProject } from '../support/people.ts';
import { printRates, runInterleaved } from './parts/interleaved-rounds.ts';

const PAGE_COUNT = 400;

const startChild = async (file: string, env: Record<string, string> = {}) => {
  const started = fork(new URL(file, import.meta.url), { env: { ...process.env, LOG_LEVEL: 'warn', ...env } });
  const [message] = await once(started, 'message');
  return { process: started, message: message as Record<string, number> };
};

const ask = async (bare: ChildProcess, message: object): Promise<number> => {
  bare.send(message);
  return ((await once(bare, 'message')) as [{ rate: number }])[0].rate;
};

/** Returns the pages per second, from the call that adds them until the last page is indexed. */
const importPages = async (urls: string[]): Promise<number> => {
  const { project } = await aProject();
  const started = performance.now();
  await addMany(
    project.id,
    urls.map((source) => ({ namespace: project.id, type: 'url', source, name: source })),
  );
  while ((await KbContent.countDocuments({ id_project: project.id, status: CONTENT_STATUS.indexed })) < urls.length)
    await sleep(50);
  return urls.length / ((performance.now() - started) / 1000);
};

describe('Page import benchmark', () => {
  it('importing pages reaches 0.7 of the rate of a bare loop that fetches, parses, embeds and inserts with the same libraries', async function measure() {
    this.timeout(400_000);
    const outside = await startChild('./parts/external-services.ts');
    const { site, provider } = outside.message;
    const env = {
      OPENAI_BASE_URL: `http://127.0.0.1:${provider}/v1`,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'instant',
      EMBEDDING_DIMENSION: '384',
    };
    const [bare, worker] = await Promise.all([
      startChild('./parts/bare-import.ts', env),
      startChild('../../workers/main.ts', env),
    ]);
    let round = 0;
    const urls = () => {
      round += 1;
      return Array.from({ length: PAGE_COUNT }, (_, page) => `http://127.0.0.1:${site}/${round}/${page}`);
    };
    const result = await runInterleaved(
      4,
      () => importPages(urls()),
      () => ask(bare.process, { urls: urls() }),
    );
    printRates('pages', result);
    worker.process.kill('SIGTERM');
    for (const each of [outside, bare]) each.process.kill('SIGKILL');
    await once(worker.process, 'close');
    expect(result.ratio).to.be.at.least(0.7);
  });
});
