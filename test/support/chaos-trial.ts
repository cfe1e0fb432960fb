/**
 * An import of hostile and good pages while every part of the system is killed and paused, and the checks of its
 * result.
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { decodeTime } from 'ulid';
import { embeddedText, indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbImport } from '#shared/models/kb-import.ts';
import { openQdrant } from '#shared/vectors/index.ts';
import { cosine, decodeVector } from '#shared/vectors/vector.ts';
import { type Caller, call } from './api.ts';
import { countOutages, disturbSystem, undisturbedMs, watchWorkers } from './chaos-outages.ts';
import { aChaosWeb, type ChaosWeb, SECTIONS } from './chaos-pages.ts';
import { aChaosSystem, type ChaosSystem, type StoreKind } from './chaos-system.ts';
import { expectedChunkIds, indexTables, isSettled } from './fleet-knowledge.ts';
import type { SitemapResult } from './hostile-pages.ts';
import { expectedResultFor, hostileSitemaps } from './hostile-page-trials.ts';
import { countByStatus } from './knowledge.ts';
import { sectionMark } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { aRetryingClient, withBasicAuth } from './retrying-clients.ts';
import { waitUntil } from './wait-until.ts';
import { wordVector } from './word-vectors.ts';

/** Shorter than the longest outages, so that other workers take over the work during these outages. */
const LEASE_SECONDS = 12;
const SWEEP_SECONDS = 2;
const SETTINGS = {
  NODE_ENV: 'production',
  FETCH_TIMEOUT_SECONDS: '4',
  PARSE_TIMEOUT_SECONDS: '2',
  LEASE_SECONDS: String(LEASE_SECONDS),
  SWEEP_INTERVAL_SECONDS: String(SWEEP_SECONDS),
};
const PAGES_PER_CALL = 100;
const MAX_WORKER_MB = 600;
const POLL_MS = 500;
const SHOWN_ATTEMPTS = 10;
/** Longer than an outage plus a lease, and longer than the longest time between two attempts to index a page. */
const STALLED_MS = 120_000;
const SETTLE_SECONDS = 60;
/** The error code of attempts that fail with an unexpected error. */
const BUG_CODE = 'INTERNAL';
/** The least similarity of a stored vector to the exact one: below 1, because stored vectors are rounded. */
const MIN_COSINE = 0.999;

/** The size of a trial. */
export interface ChaosPlan {
  store: StoreKind;
  pages: number;
  /** The maximum duration of the outages, in seconds. They end earlier if all pages are indexed or have failed. */
  seconds: number;
}

/** Converts a sitemap, and repeats the call until the API succeeds. */
const convertSitemap = async (url: string, { authorization }: Caller, sitemap: string): Promise<SitemapResult> => {
  for (;;) {
    try {
      const reply = await call('POST', url, { body: { sitemap }, headers: { authorization }, checkOpenapi: false });
      const { sites, errors } = reply.body as { sites: unknown[]; errors: { message: string }[] };
      const codes = reply.status === 200 ? errors.map(({ message }) => message.split(':')[0] as string) : [];
      if (reply.status === 200) return { sites: sites.length, errors: [...new Set(codes)] };
    } catch {
      // The API cannot reach its databases; the call is repeated.
    }
    await sleep(100);
  }
};

/** Converts every hostile sitemap; returns the results that differ from the expected ones. */
const convertSitemaps = async ({ api }: ChaosSystem, web: ChaosWeb, { id, caller }: { id: string; caller: Caller }) => {
  const wrong: unknown[] = [];
  for (const [sitemap, must] of hostileSitemaps(web)) {
    const convert = () => convertSitemap(`${api.url}/v3/${id}/kb/sitemap`, caller, sitemap);
    const isWrong = (result: SitemapResult) => !isDeepStrictEqual(result, expectedResultFor(must, result));
    const first = await convert();
    // A busy machine may cause a timeout.
    const result = isWrong(first) && first.errors.includes('TIMEOUT') ? await convert() : first;
    if (isWrong(result)) wrong.push({ sitemap, result, must });
  }
  return wrong;
};

/** The number of contents that are indexed or have failed; undefined while MongoDB does not answer. */
const countFinal = async (id: string): Promise<number | undefined> => {
  try {
    const statuses = await countByStatus(id);
    return (statuses[300] ?? 0) + (statuses[400] ?? 0);
  } catch {
    return undefined;
  }
};

/** The first contents that are not final, and the number of contents by status. */
const describeUnfinished = async (id: string): Promise<string[]> => {
  const fields = { source: 1, status: 1, nextAttemptAt: 1, leaseUntil: 1, waiting: 1, attempts: 1 };
  const open = await KbContent.find({ id_project: id, status: { $lt: 300 } }, fields)
    .limit(40)
    .lean();
  const lines = open.map(({ source, status, nextAttemptAt, leaseUntil, waiting, attempts }) => {
    const history = attempts?.map(({ code, outcome }) => code ?? outcome).join(', ');
    return `${source} ${status} due ${nextAttemptAt?.toISOString()} lease ${leaseUntil?.toISOString()} ${waiting?.code}: ${history}`;
  });
  return [JSON.stringify(await countByStatus(id)), new Date().toISOString(), ...lines];
};

/** Waits until `count` contents are final. Throws if their number has not grown for a while. */
const waitUntilFinal = async (id: string, count: number): Promise<void> => {
  let [final, grownAt] = [0, Date.now()];
  while (final < count) {
    await sleep(POLL_MS);
    const now = (await countFinal(id)) ?? final;
    if (now > final) [final, grownAt] = [now, Date.now()];
    if (Date.now() - grownAt > STALLED_MS)
      throw new Error(`No content became final in ${STALLED_MS} ms:\n${(await describeUnfinished(id)).join('\n')}`);
  }
};

const indexedIdSets = async ({ fleet, qdrantUrl }: ChaosSystem, id: string): Promise<string[][]> => {
  if (!qdrantUrl) return Object.values(await indexTables(fleet, id));
  const ids: string[] = [];
  for await (const entry of openQdrant(qdrantUrl).entries(indexSpaceOf({ id_project: id, namespace: id }, null)))
    ids.push(entry.id);
  return [ids.toSorted()];
};

/** Expects that MongoDB and the index contain exactly the chunks of the indexed contents, each with its own vector. */
const expectChunksExact = async (system: ChaosSystem, id: string): Promise<void> => {
  await waitUntil(() => isSettled(id), SETTLE_SECONDS);
  const expected = await expectedChunkIds(id);
  const isExact = async () => (await indexedIdSets(system, id)).every((ids) => isDeepStrictEqual(ids, expected));
  await waitUntil(isExact, SETTLE_SECONDS).catch(() => undefined); // a lost index is rebuilt by the next sweep
  for (const ids of await indexedIdSets(system, id)) expect(ids).to.deep.equal(expected);
  const chunks = await KbChunk.find({ id_project: id }).lean();
  expect(chunks.map(({ _id }) => _id).toSorted()).to.deep.equal(expected);
  const misplaced = chunks.filter((chunk) => {
    const own = Float32Array.from(wordVector(embeddedText(chunk), 64));
    return cosine(decodeVector(chunk.vector), own) < MIN_COSINE;
  });
  expect(misplaced.map(({ text }) => text)).to.deep.equal([]);
};

/** Expects that each page of the working site has its own sections as chunks, and no others. */
const expectOwnTexts = async (web: ChaosWeb, id: string): Promise<void> => {
  const contents = await KbContent.find({ id_project: id, source: /\/good-\d+$/ }, { source: 1 }).lean();
  expect(contents).to.have.lengthOf(web.good);
  for (const { _id, source } of contents) {
    const name = `good${/\d+$/.exec(source)?.[0]}`;
    const chunks = await KbChunk.find({ id_project: id, content: String(_id) }, { text: 1 })
      .sort({ index: 1 })
      .lean();
    expect(chunks, source).to.have.lengthOf(SECTIONS);
    chunks.forEach(({ text }, section) => expect(text).to.include(sectionMark(name, section)));
  }
};

type Outages = Awaited<ReturnType<typeof disturbSystem>>;

/**
 * The attempts that ran longer than a lease and two sweep intervals, not counting outages. An attempt that was lost
 * with its worker may take one lease more, because it ends when its last lease has expired and a sweep has found it.
 */
const findHungAttempts = async (id: string, outages: Outages): Promise<string[]> => {
  const contents = await KbContent.find({ id_project: id }, { source: 1, attempts: 1 }).lean();
  return contents.flatMap(({ source, attempts }) =>
    (attempts ?? []).flatMap(({ id: attempt, ended_at, code, stages }) => {
      const ms = undisturbedMs(decodeTime(attempt), ended_at.getTime(), outages);
      const leases = code === 'WORKER_LOST' ? 2 : 1;
      const limit = (LEASE_SECONDS * leases + SWEEP_SECONDS * 2) * 1000;
      return ms > limit ? [`${source} ${code ?? ''} ${Math.round(ms)} ms ${JSON.stringify(stages)}`] : [];
    }),
  );
};

/** The pages with a result that the server's answers do not justify, or with an attempt that failed due to a bug. */
const findWrongResults = async ({ pages }: ChaosWeb, id: string): Promise<string[]> => {
  const contents = await KbContent.find({ id_project: id }, { source: 1, status: 1, error: 1, attempts: 1 }).lean();
  const byUrl = new Map(contents.map((content) => [content.source, content]));
  expect(contents).to.have.lengthOf(pages.length);
  return pages.flatMap(({ url, isExpected, reason }) => {
    const content = byUrl.get(url);
    const end = content?.status === 300 ? 300 : String(content?.error?.code);
    const history = content?.attempts?.map(({ code, outcome }) => code ?? outcome) ?? [];
    return isExpected(end) && !history.includes(BUG_CODE)
      ? []
      : [`${url} ended as ${end}: ${reason()}; ${content?.error?.message}; attempts ${history.join(', ')}`];
  });
};

const runTrial = async (system: ChaosSystem, web: ChaosWeb, { seconds }: ChaosPlan): Promise<void> => {
  const started = Date.now();
  const { project, admin } = await aProject();
  const client = await aRetryingClient({ url: async () => system.api.url });
  const { id } = client;
  const urls = web.pages.map(({ url }) => url);
  let areFinal = false;
  const watching = watchWorkers(system, () => areFinal);
  const disturbing = disturbSystem(system, () => areFinal || Date.now() - started > seconds * 1000);
  const converting = convertSitemaps(system, web, { id: project.id, caller: withBasicAuth(admin) });
  for (let start = 0; start < urls.length; start += PAGES_PER_CALL)
    await client.addPages(urls.slice(start, start + PAGES_PER_CALL));
  await waitUntilFinal(id, urls.length);
  const secondsUntilFinal = Math.round((Date.now() - started) / 1000);
  areFinal = true;
  const [outages, wrongSitemaps, { peakMb }] = [await disturbing, await converting, await watching];
  const figures = { contentsByStatus: await countByStatus(id), secondsUntilFinal, peakMb: Math.round(peakMb) };
  console.log(`      ${JSON.stringify(figures)}, outages ${JSON.stringify(countOutages(outages))}`);
  expect(await findWrongResults(web, id)).to.deep.equal([]);
  expect(wrongSitemaps).to.deep.equal([]);
  expect(web.followedLinks()).to.deep.equal([]);
  await expectChunksExact(system, id);
  await expectOwnTexts(web, id);
  const hung = await findHungAttempts(id, outages);
  expect(hung, hung.slice(0, SHOWN_ATTEMPTS).join('\n')).to.deep.equal([]);
  await waitUntil(async () => !(await KbImport.exists({ id_project: id, isOpen: true })), SETTLE_SECONDS);
  expect(peakMb).to.be.lessThan(MAX_WORKER_MB);
};

/** Imports the pages, prints the figures of the trial and checks everything. */
export const importUnderChaos = async (plan: ChaosPlan): Promise<void> => {
  const web = await aChaosWeb(plan.pages);
  const system = await aChaosSystem(plan.store, SETTINGS).catch(async (error) => {
    await web.close();
    throw error;
  });
  try {
    await runTrial(system, web, plan);
  } finally {
    await system.close();
    await web.close();
  }
};
