/** Imports the Python documentation through its sitemap and the API, with a separate worker process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { api } from './api.ts';
import { countByStatus } from './knowledge.ts';
import { aProject } from './people.ts';
import { aPythonDocsSite } from './python-docs-site.ts';

/** The result of an import. */
export interface DocsImport {
  id_project: string;
  addAgain(): Promise<void>;
  pages: string[];
  /** The number of contents by status. */
  statuses: Record<number, number>;
  seconds: number;
  tokens: number;
  /** The peak memory usage of the worker, in MiB. */
  memory: number;
  site: Awaited<ReturnType<typeof aPythonDocsSite>>;
}

const aWorker = async (): Promise<ChildProcess> => {
  const worker = fork(new URL('../../workers/main.ts', import.meta.url), {
    env: { ...process.env, LOG_LEVEL: 'warn' },
  });
  await once(worker, 'message');
  return worker;
};

const peakOf = ({ pid }: ChildProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const isDone = async (id_project: string): Promise<boolean> =>
  Object.keys(await countByStatus(id_project)).every((status) => Number(status) >= 300);

const tokensOf = async (id_project: string): Promise<number> => {
  const [sum] = await KbChunk.aggregate<{ tokens: number }>([
    { $match: { id_project } },
    { $group: { _id: null, tokens: { $sum: '$tokens' } } },
  ]);
  return sum?.tokens ?? 0;
};

/** Imports the whole documentation and waits until every page is indexed or has failed. */
export const importPythonDocs = async (): Promise<DocsImport> => {
  const [{ project, admin }, site, worker] = await Promise.all([aProject(), aPythonDocsSite(), aWorker()]);
  const root = `/v3/${project.id}/kb`;
  const add = async () => {
    const { sites } = (await api(admin).post(`${root}/sitemap`, { sitemap: site.sitemap })).body;
    const { status, text } = await api(admin).post(`${root}/multi?namespace=${project.id}`, { list: sites });
    if (status !== 200) throw new Error(`not imported: ${text}`);
  };
  const started = performance.now();
  await add();
  while (!(await isDone(project.id))) await sleep(250);
  const seconds = (performance.now() - started) / 1000;
  const memory = peakOf(worker);
  worker.kill('SIGTERM');
  await once(worker, 'close');
  const [statuses, tokens] = await Promise.all([countByStatus(project.id), tokensOf(project.id)]);
  return {
    id_project: project.id,
    addAgain: add,
    pages: site.pages,
    statuses: statuses,
    seconds,
    tokens,
    memory,
    site,
  };
};
