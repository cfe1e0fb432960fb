/** Trials of an import whose queue or store is lost, or whose pages are poison; each ends with what must be true after it. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import type { FakePage } from './fake-site.ts';
import type { Fleet } from './fleet.ts';
import { expectWhole, isTidy } from './fleet-knowledge.ts';
import { statuses } from './knowledge.ts';
import { bigPage, markOf } from './numbered-pages.ts';
import { anImport } from './persistent.ts';
import { REFUSED, SECTIONS, type Stage, times } from './stage.ts';
import { until } from './until.ts';

/** Redis forgets everything in the middle of an import: all of it ends all the same, and the clock ticks again. */
export const underFlush = async (stage: Stage, name: string, pages: number): Promise<void> => {
  const { fleet, site } = stage;
  const { id } = await anImport(stage, site.shelve(name, pages, { delayMs: 200 }));
  const moment = 1 + Math.random() * pages * 0.6;
  await until(() => site.hitsOf(name).length > moment, 60);
  await fleet.redis.flushall();
  const sweeps = () => fleet.redis.zcard(`${config.QUEUE_PREFIX}:upkeep:completed`);
  await until(async () => (await sweeps()) > 0, 15);
  await until(() => isTidy(id), 60);
  expect(await statuses(id)).to.deep.equal({ 300: pages });
  expect(await expectWhole(fleet, id)).to.equal(pages * SECTIONS);
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Whether the namespace is marked as filled in the store that lies there now, not in one that is being deleted. */
const isFilled = async ({ dataDir }: Fleet, id: string): Promise<boolean> => {
  try {
    const identity = await readFile(join(dataDir, 'lancedb', 'identity'), 'utf8');
    return Boolean(await KbNamespace.exists({ id_project: id, id, index: `lancedb-${identity}` }));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** The store's folder is deleted under everybody: filled anew without an embedding call, and questions find it. */
export const underDeletion = async (stage: Stage, name: string, pages: number): Promise<void> => {
  const { fleet, provider, site } = stage;
  const client = await anImport(stage, site.shelve(name, pages));
  await until(() => isTidy(client.id), 60);
  const known = async () => ({ passages: await expectWhole(fleet, client.id), texts: provider.embeddedTexts().length });
  const before = await known();
  await rm(join(fleet.dataDir, 'lancedb'), { recursive: true, maxRetries: 5 });
  await until(() => isFilled(fleet, client.id), 60);
  expect(await known()).to.deep.equal(before);
  expect(before.passages).to.equal(pages * SECTIONS);
  expect(await client.ask(`What is the word ${markOf(`${name}7`, 1)}?`)).to.include(markOf(`${name}7`, 1));
};

const POISONS: [string, FakePage][] = [
  ['NOT_TEXT', { body: Buffer.alloc(3000), headers: { 'content-type': 'text/html' } }],
  ['PARSE_MEMORY', `<main>${'<p><i>x</i>'.repeat(400_000)}</main>`],
  ['AI_REFUSED', bigPage(REFUSED, 2)],
];

/** Poison among good pages: each fails with its reason, alone, and no worker dies of it. */
export const underPoison = async (stage: Stage, { good, bad }: { good: number; bad: number }): Promise<void> => {
  const { fleet, site, workers } = stage;
  const list = site.shelve('good', good);
  const expected = times(bad, (at) => {
    const [code, page] = POISONS[at % POISONS.length] as [string, FakePage];
    site.pages[`/bad-${at}`] = page;
    list.splice(Math.floor(Math.random() * list.length), 0, site.url(`/bad-${at}`));
    return `/bad-${at} ${code}`;
  });
  const { id } = await anImport(stage, list);
  await until(() => isTidy(id), 120);
  const failed = await KbContent.find({ id_project: id, status: 400 }, { source: 1, error: 1 }).lean();
  const reasons = failed.map(({ source, error }) => `${new URL(source).pathname} ${error?.code}`);
  expect(reasons).to.have.members(expected);
  expect(await statuses(id)).to.deep.equal({ 300: good, 400: bad });
  expect(await expectWhole(fleet, id)).to.equal(good * SECTIONS);
  for (const { pid } of workers) expect(process.kill(pid, 0)).to.equal(true);
};
