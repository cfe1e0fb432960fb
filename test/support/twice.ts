/** One content, worked on by two at the same time in this process. */
import type { Job } from 'bullmq';
import { expect } from 'chai';
import { type Attempt, take, takeOver } from '#shared/domain/knowledge/attempts.ts';
import * as contents from '#shared/domain/knowledge/contents.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import type { JobName } from '#shared/jobs.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import type { Envelope } from '#shared/queue.ts';
import { run } from '../../workers/run.ts';
import { indexContent } from '../../workers/steps/index-content.ts';
import type { aSite } from './fake-site.ts';
import { passages, statuses } from './knowledge.ts';
import { bigPage } from './numbered-pages.ts';
import { aProject } from './people.ts';

const never = new AbortController().signal;
const SECTIONS = 4;
const MAX_DELAY_MS = 30;

/**
 * A project with one page, which `change` makes another and queues again. Its text holds no id: a random one has a random
 * number of tokens, and with many of them a section becomes two passages.
 */
export const aChangingPage = async (site: Awaited<ReturnType<typeof aSite>>) => {
  const { project } = await aProject();
  const { id } = project;
  await namespaces.find(id, id);
  return {
    id,
    path: `/${id}`,
    change: (at: number) => {
      site.pages[`/${id}`] = { body: bigPage(String(at), SECTIONS), delayMs: Math.random() * MAX_DELAY_MS };
      return contents.add(id, { namespace: id, type: 'url', source: site.url(`/${id}`), name: 'Page' });
    },
  };
};

/** Two attempts work on the project's content at once, the first of which has lost its lease. */
export const indexTwice = async (id_project: string): Promise<void> => {
  const one = await take(id_project);
  await KbContent.updateOne({ _id: one?.content, id_project }, { $set: { lease: new Date(0) } });
  await takeOver();
  const two = await take(id_project);
  await Promise.all([one, two].map((attempt) => indexContent(attempt as Attempt, never)));
};

/** A job delivered to two workers at once, and to a third one after them. */
export const deliverThrice = async (name: JobName, payload: unknown): Promise<void> => {
  const job = { name, data: { payload }, attemptsMade: 0 } as Job<Envelope>;
  await Promise.all([run(job), run(job)]);
  await run(job);
};

/** The project's one page is indexed, its passages are there once on every level. */
export const expectOnce = async (id_project: string): Promise<void> => {
  expect(await statuses(id_project)).to.deep.equal({ 300: 1 });
  const { expected, current, stored, indexed } = await passages(id_project);
  expect([expected, current, stored.length]).to.deep.equal([SECTIONS, SECTIONS, SECTIONS]);
  expect(indexed).to.deep.equal(stored);
};
