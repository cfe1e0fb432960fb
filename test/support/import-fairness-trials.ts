/** A large import of one project, and the indexing times of other projects during it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeTime } from 'ulid';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { type Caller, call } from './api.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { pageOfSections } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { withBasicAuth } from './retrying-clients.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const DELAYS_MS = [0, 200, 2000];
const LONG_PAGE_SECTIONS = 30;
const SHORT_PAGE_SECTIONS = 2;
const PAGES_PER_CALL = 10_000;
/** The measurement starts when the large import has fetched this many pages: all indexing slots are then busy. */
const MIN_PAGES_FETCHED = 40;

/** Pages are served after 0, 200 or 2,000 ms. Of the pages with each delay, a third have 30 sections, the others 2. */
const pageAt = (path: string): FakePage | undefined => {
  const pageNumber = Number(/^\/page(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(pageNumber)) return undefined;
  const sections = Math.floor(pageNumber / DELAYS_MS.length) % 3 === 0 ? LONG_PAGE_SECTIONS : SHORT_PAGE_SECTIONS;
  return { body: pageOfSections(String(pageNumber), sections), delayMs: DELAYS_MS[pageNumber % DELAYS_MS.length] };
};

/** A site with an unlimited number of pages: `/page0`, `/page1` … */
const anEndlessSite = () => aSite(new Proxy<Record<string, FakePage>>({}, { get: (_, path) => pageAt(String(path)) }));

/** Settings of a trial whose vectors (384 numbers each) come from this provider. */
export const providerSettings = ({ baseUrl }: { baseUrl: string }) => ({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: 'none',
  EMBEDDING_MODEL: 'fake',
  EMBEDDING_DIMENSION: '384',
});

/**
 * An API, one worker, and a site of small pages. All projects import from this site, except the project with the large
 * import.
 */
export const anImportFixture = async (settings: Record<string, string>) => {
  const site = await aSite();
  const fleet = await aFleet({
    CHUNK_TOKENS: '100',
    SWEEP_INTERVAL_SECONDS: '15',
    JOB_TIME_SLICE_SECONDS: '2',
    ...settings,
  });
  const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
  const pages = (name: string, count: number): string[] =>
    times(count, (index) => {
      site.pages[`/${name}-${index}`] = pageOfSections(`${name}${index}`, SHORT_PAGE_SECTIONS);
      return site.url(`/${name}-${index}`);
    });
  const close = async () => {
    await fleet.close();
    await site.close();
  };
  return { url, site, pages, close };
};

export type ImportFixture = Awaited<ReturnType<typeof anImportFixture>>;

/** A project with a client of the API at `url`. */
const anImportTenant = async (url: string) => {
  const { project, admin } = await aProject();
  const { authorization } = withBasicAuth(admin) satisfies Caller;
  const post = async (path: string, body: unknown) => {
    const reply = await call('POST', `${url}/v3/${project.id}${path}`, { body, headers: { authorization } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };
  const { id } = project;
  const add = async (source: string): Promise<string> =>
    (await post('/kb', { type: 'url', source, name: source, namespace: id })).value._id;
  const addAll = async (list: string[]): Promise<void> => {
    for (let index = 0; index < list.length; index += PAGES_PER_CALL)
      await post(`/kb/multi?namespace=${id}`, { list: list.slice(index, index + PAGES_PER_CALL) });
  };
  return { id, add, addAll };
};

type ImportTenant = Awaited<ReturnType<typeof anImportTenant>>;

const isIndexed = async (id_project: string, _id: string): Promise<boolean> =>
  Boolean(await KbContent.exists({ _id, id_project, status: CONTENT_STATUS.indexed }));

const waitUntilIndexed = async (tenant: ImportTenant, id: string, seconds = 30): Promise<void> => {
  for (const end = Date.now() + seconds * 1000; !(await isIndexed(tenant.id, id)); await sleep(20))
    if (Date.now() > end) throw new Error(`${id} was not indexed within ${seconds} s`);
};

/** Milliseconds between the start of the call that adds a page and the end of the page's indexing. */
const indexingTime = async (tenant: ImportTenant, source: string): Promise<number> => {
  const start = performance.now();
  await waitUntilIndexed(tenant, await tenant.add(source));
  return performance.now() - start;
};

const MAX_PAUSE_MS = 600;

/** The indexing times of pages that are added one after the other, at random moments. */
const indexingTimes = async (tenant: ImportTenant, sources: string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const source of sources) {
    await sleep(random() * MAX_PAUSE_MS);
    found.push(await indexingTime(tenant, source));
  }
  return found;
};

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Times of a page that was added at about the time when the indexing of the previous page ended. */
interface Handover {
  /** From the end of the previous page's indexing to the creation of this page; negative if it was created earlier. */
  afterEndMs: number;
  /** From the creation of this page to the start of its indexing. */
  waitedMs: number;
}

/** Approximate duration of a call that stores a page; the call that adds a second page is made earlier by this time. */
const ADD_PAGE_MS = 12;
const FIRST_SPAN_MS = 40;
/** How long the site delays a pair's first page if the page's indexing must end after the second page is stored. */
const SLOW_PAGE_MS = 500;

/** When the second page is added: before or after the indexing of the first page ends, or at about that time. */
type Moment = 'before' | 'after' | 'about';

/** The moments for the first two pairs of each project: both thus occur, however fast the machine is. */
const FIRST_MOMENTS: Moment[] = ['before', 'after'];

const contentTimes = async (id_project: string, _id: string) => {
  const fields = { publishedAttemptId: 1, createdAt: 1, last_refresh: 1 } as const;
  const content = await KbContent.findOne({ _id, id_project }, fields).lean();
  return {
    created: Number(content?.createdAt),
    taken: decodeTime(content?.publishedAttemptId ?? ''),
    ended: Number(content?.last_refresh),
  };
};

/**
 * Adds a page, and a second page at the given moment. The expected end of the first page's indexing is `span` ms after
 * the first page was requested from the site.
 */
const measureHandover = async (
  { tenant, site }: { tenant: ImportTenant; site: ImportFixture['site'] },
  [first, second]: string[],
  { moment, span }: { moment: Moment; span: number },
) => {
  const path = new URL(first as string).pathname;
  if (moment === 'before') site.pages[path] = { body: site.pages[path] as string, delayMs: SLOW_PAGE_MS };
  const one = await tenant.add(first as string);
  await waitUntil(() => site.hits.has(path));
  const requestedAt = Date.now();
  if (moment === 'after') await waitUntilIndexed(tenant, one);
  if (moment === 'about') await sleep(Math.max(0, span * (0.5 + random()) - ADD_PAGE_MS));
  const two = await tenant.add(second as string);
  await Promise.all([waitUntilIndexed(tenant, one), waitUntilIndexed(tenant, two)]);
  const [before, after] = await Promise.all([contentTimes(tenant.id, one), contentTimes(tenant.id, two)]);
  const found: Handover = { afterEndMs: after.created - before.ended, waitedMs: after.taken - after.created };
  return { found, span: moment === 'before' ? span : before.ended - requestedAt };
};

/**
 * Adds `pairs` pairs of pages per project, one pair after the other, in `projects` concurrent projects. Measures how
 * long the indexing of each second page has to wait. The second page is added at a random time around the end of the
 * first page's indexing, except in the first two pairs.
 */
export const measureHandovers = async (
  fixture: ImportFixture,
  { projects, pairs }: { projects: number; pairs: number },
) => {
  const chain = async (name: string) => {
    const tenant = await anImportTenant(fixture.url);
    const sources = fixture.pages(name, pairs * 2);
    const all: Handover[] = [];
    let expectedSpan = FIRST_SPAN_MS;
    for (let index = 0; index < sources.length; index += 2) {
      const { found, span } = await measureHandover({ tenant, site: fixture.site }, sources.slice(index, index + 2), {
        moment: FIRST_MOMENTS[index / 2] ?? 'about',
        span: expectedSpan,
      });
      all.push(found);
      expectedSpan = span;
    }
    return all;
  };
  return (await Promise.all(times(projects, (index) => chain(`chain${index}`)))).flat();
};

/** The number of pages of the large import, and of another project's single pages before and during this import. */
interface NeighbourTrial {
  pages: number;
  idlePages?: number;
  busyPages: number;
}

/**
 * Measures the indexing times, in milliseconds, of another project's single pages: `idle` is the median before a large
 * import of `pages` pages, and `busy` are the times during it. `fetched` is the number of pages that the large import
 * has requested by the end of the measurement.
 */
export const measureNeighbourOfImport = async (
  fixture: ImportFixture,
  { pages, idlePages = 0, busyPages }: NeighbourTrial,
) => {
  const [neighbour, huge] = [await anImportTenant(fixture.url), await anImportTenant(fixture.url)];
  const idle = median(await indexingTimes(neighbour, fixture.pages('idle', idlePages)));
  const endless = await anEndlessSite();
  await huge.addAll(times(pages, (index) => endless.url(`/page${index}`)));
  await waitUntil(() => endless.hits.size > MIN_PAGES_FETCHED, 60);
  const busy = await indexingTimes(neighbour, fixture.pages('busy', busyPages));
  const fetched = endless.hits.size;
  await endless.close();
  return { idle, busy, fetched };
};
