/** Concurrent attempts to index one content in this process. */
import type { Job } from 'bullmq';
import { expect } from 'chai';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { reclaimExpired } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import { type Attempt, takeNextContent } from '#shared/domain/knowledge/indexing/attempts.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import type { JobName } from '#shared/jobs.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import type { JobEnvelope } from '#shared/queue/queue.ts';
import { indexContent } from '../../workers/indexing/index-content.ts';
import { runJob } from '../../workers/run-job.ts';
import type { aSite } from './fake-site.ts';
import { chunkIds, countByStatus } from './knowledge.ts';
import { pageOfSections } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { random } from './seeded-random.ts';

const neverAborted = new AbortController().signal;
const PAGE_SECTIONS = 4;
const MAX_DELAY_MS = 30;

/**
 * A project with one page, which `change` replaces and queues for indexing. The text of the page contains no random id:
 * the number of tokens of such an id varies, so a section could become two chunks.
 */
export const aChangingPage = async (site: Awaited<ReturnType<typeof aSite>>) => {
  const { project } = await aProject();
  const { id } = project;
  await namespaces.find(id, id);
  return {
    id,
    path: `/${id}`,
    change: (version: number) => {
      site.pages[`/${id}`] = { body: pageOfSections(String(version), PAGE_SECTIONS), delayMs: random() * MAX_DELAY_MS };
      return contents.add(id, { namespace: id, type: 'url', source: site.url(`/${id}`), name: 'Page' });
    },
  };
};

/** Runs two concurrent attempts to index the project's content; the lease of the first attempt has expired. */
export const indexConcurrently = async (id_project: string): Promise<void> => {
  const first = await takeNextContent(id_project);
  await KbContent.updateOne({ _id: first?.contentId, id_project }, { $set: { leaseUntil: new Date(0) } });
  await reclaimExpired();
  const second = await takeNextContent(id_project);
  await Promise.all([first, second].map((attempt) => indexContent(attempt as Attempt, neverAborted)));
};

/** Runs a job twice concurrently in this process, and then once more, as if three workers had received it. */
export const deliverThreeTimes = async (name: JobName, payload: unknown): Promise<void> => {
  const job = { name, data: { payload }, attemptsMade: 0 } as Job<JobEnvelope>;
  await Promise.all([runJob(job), runJob(job)]);
  await runJob(job);
};

/** Expects that the page is indexed, and that each of its chunks exists once in MongoDB and once in the index. */
export const expectIndexedOnce = async (id_project: string): Promise<void> => {
  expect(await countByStatus(id_project)).to.deep.equal({ 300: 1 });
  const { expected, current, stored, indexed } = await chunkIds(id_project);
  expect([expected, current, stored.length]).to.deep.equal([PAGE_SECTIONS, PAGE_SECTIONS, PAGE_SECTIONS]);
  expect(indexed).to.deep.equal(stored);
};
