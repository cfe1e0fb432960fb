/** Trials of an import whose queue or index is lost, or whose pages fail. Each trial checks its result. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { queueKeyPrefix } from '#shared/queue/redis.ts';
import type { FakePage } from './fake-site.ts';
import type { Fleet } from './fleet.ts';
import { type FleetFixture, REFUSED_WORD, SECTIONS_PER_PAGE, times } from './fleet-fixture.ts';
import { expectChunksConsistent, isSettled } from './fleet-knowledge.ts';
import { countByStatus } from './knowledge.ts';
import { pageOfSections, sectionMark } from './numbered-pages.ts';
import { aRetryingImport } from './retrying-clients.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

/** Flushes Redis in the middle of an import. Expects that the import completes, and that periodic jobs run again. */
export const importThroughRedisFlush = async (fixture: FleetFixture, name: string, pages: number): Promise<void> => {
  const { fleet, site } = fixture;
  const { id } = await aRetryingImport(fixture, site.addPages(name, pages, { delayMs: 200 }));
  const hitsBeforeFlush = 1 + random() * pages * 0.6;
  await waitUntil(() => site.hitsOf(name).length > hitsBeforeFlush, 60);
  await fleet.redis.flushall();
  const sweeps = () => fleet.redis.zcard(`${queueKeyPrefix('maintenance')}:maintenance:completed`);
  await waitUntil(async () => (await sweeps()) > 0);
  await waitUntil(() => isSettled(id), 60);
  expect(await countByStatus(id)).to.deep.equal({ 300: pages });
  expect(await expectChunksConsistent(fleet, id)).to.equal(pages * SECTIONS_PER_PAGE);
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Whether the record of the namespace names the index in the current LanceDB folder, not the one in the deleted folder.
 * Each folder has a file with the random identity of its index.
 */
const isIndexedInStore = async ({ dataDir }: Fleet, id: string): Promise<boolean> => {
  try {
    const identity = await readFile(join(dataDir, 'lancedb', 'identity'), 'utf8');
    return Boolean(await KbNamespace.exists({ id_project: id, id, indexId: new RegExp(`^lancedb-.*${identity}$`) }));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/**
 * Deletes the LanceDB folder while it is in use. Expects that the index is rebuilt without an embedding call, and that
 * questions are answered from it.
 */
export const importThroughStoreDeletion = async (fixture: FleetFixture, name: string, pages: number): Promise<void> => {
  const { fleet, provider, site } = fixture;
  const client = await aRetryingImport(fixture, site.addPages(name, pages));
  await waitUntil(() => isSettled(client.id), 60);
  const countChunksAndTexts = async () => ({
    chunks: await expectChunksConsistent(fleet, client.id),
    texts: provider.embeddedTexts().length,
  });
  const before = await countChunksAndTexts();
  await rm(join(fleet.dataDir, 'lancedb'), { recursive: true, maxRetries: 5 });
  await waitUntil(() => isIndexedInStore(fleet, client.id), 60);
  expect(await countChunksAndTexts()).to.deep.equal(before);
  expect(before.chunks).to.equal(pages * SECTIONS_PER_PAGE);
  expect(await client.ask(`What is the word ${sectionMark(`${name}7`, 1)}?`)).to.include(sectionMark(`${name}7`, 1));
};

const FAILING_PAGES: [string, FakePage][] = [
  ['NOT_TEXT', { body: Buffer.alloc(3000), headers: { 'content-type': 'text/html' } }],
  ['PARSE_MEMORY', `<main>${'<p><i>x</i>'.repeat(400_000)}</main>`],
  ['AI_REQUEST_REJECTED', pageOfSections(REFUSED_WORD, 2)],
];

/** Imports failing and good pages. Only the failing pages must get status 400 with a reason, and no worker may die. */
export const importWithFailingPages = async (
  fixture: FleetFixture,
  { good, bad }: { good: number; bad: number },
): Promise<void> => {
  const { fleet, site, workers } = fixture;
  const list = site.addPages('good', good);
  const expected = times(bad, (index) => {
    const [code, page] = FAILING_PAGES[index % FAILING_PAGES.length] as [string, FakePage];
    site.pages[`/bad-${index}`] = page;
    list.splice(Math.floor(random() * list.length), 0, site.url(`/bad-${index}`));
    return `/bad-${index} ${code}`;
  });
  const { id } = await aRetryingImport(fixture, list);
  await waitUntil(() => isSettled(id), 120);
  const failed = await KbContent.find({ id_project: id, status: 400 }, { source: 1, error: 1 }).lean();
  const reasons = failed.map(({ source, error }) => `${new URL(source).pathname} ${error?.code}`);
  expect(reasons).to.have.members(expected);
  expect(await countByStatus(id)).to.deep.equal({ 300: good, 400: bad });
  expect(await expectChunksConsistent(fleet, id)).to.equal(good * SECTIONS_PER_PAGE);
  for (const { pid } of workers) expect(process.kill(pid, 0)).to.equal(true);
};
