/**
 * Imports hostile pages and converts hostile sitemaps through the real endpoints, and measures the event loop delay and
 * the memory usage of the API and a worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { type Caller, call } from './api.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import {
  type AllowedOutcomes,
  HOSTILE_PAGES,
  HOSTILE_RESPONSES,
  HOSTILE_SITEMAP_RESPONSES,
  HOSTILE_SITEMAPS,
  type SitemapResult,
  sitemapParts,
} from './hostile-pages.ts';
import { aHostileSite } from './hostile-site.ts';
import { LOOP_WATCH_SETTINGS, startWatch } from './loop-lag.ts';
import type { LoopReading } from './loop-reading.ts';
import { pageOfSections } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { withBasicAuth } from './retrying-clients.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Short timeouts, so that slow sites fail quickly. NODE_ENV is production, because the check of every response in tests
 * slows down the API.
 */
const SHORT_TIMEOUTS = {
  NODE_ENV: 'production',
  FETCH_TIMEOUT_SECONDS: '2',
  PARSE_TIMEOUT_SECONDS: '2',
  ...LOOP_WATCH_SETTINGS,
};
const WARM_PAGES = 40;
const INDEX_FILES = 501;
const POLL_MS = 200;
/** The number of sitemaps that are converted (to lists of their pages) at the same time. */
const PARALLEL_CONVERSIONS = 4;

type TestSite = { origin: string; url(path: string): string; close(): Promise<unknown> };

/**
 * An API, a worker and hostile sites. The processes are warm: the worker has indexed some pages, and the API has
 * converted a sitemap.
 */
type HostileTrial = {
  fleet: Fleet;
  api: FleetProcess;
  worker: FleetProcess;
  rawSite: TestSite;
  site: TestSite;
  project: string;
  caller: Caller;
};

/** A site with the hostile pages and sitemaps, and pages without faults. */
export const aSiteOfPages = async () => {
  const pages: Record<string, FakePage> = sitemapParts(INDEX_FILES);
  const site = await aSite(pages);
  for (const [path, [page]] of Object.entries(HOSTILE_PAGES)) pages[path] = page();
  for (const [path, [page]] of Object.entries(HOSTILE_SITEMAPS)) pages[path] = page(site.url);
  for (let index = 0; index < WARM_PAGES; index++) pages[`/warm-${index}`] = pageOfSections(`warm ${index}`, 2);
  return site;
};

/** Posts without checking the response, because the check takes seconds if the response lists 50,000 addresses. */
const post = ({ api, caller: { authorization }, project }: HostileTrial, path: string, body: object) =>
  call('POST', `${api.url}/v3/${project}/kb/${path}`, { body, headers: { authorization }, checkOpenapi: false });

/** Makes retries due now instead of after a delay. */
const makeRetriesDue = (project: string) =>
  KbContent.updateMany(
    { id_project: project, status: CONTENT_STATUS.queued, failures: { $gt: 0 } },
    { nextAttemptAt: new Date() },
  );

/** Waits first, since polling without a pause would use a whole CPU core. */
const haveAllEnded = async (project: string) => {
  await sleep(POLL_MS);
  await makeRetriesDue(project);
  return (await KbContent.countDocuments({ id_project: project, status: { $lt: CONTENT_STATUS.indexed } })) === 0;
};

/**
 * Adds pages with one call and waits until each is indexed or has failed. Returns the results by URL: 300 (the status
 * of an indexed content) or the error code.
 */
const outcomesOf = async (
  trial: HostileTrial,
  list: string[],
  seconds: number,
): Promise<Map<string, string | number>> => {
  const { project } = trial;
  const added = await post(trial, `multi?namespace=${project}`, { list });
  if (added.status !== 200) throw new Error(added.text);
  await waitUntil(() => haveAllEnded(project), seconds);
  const ended = await KbContent.find({ id_project: project, source: { $in: list } }, 'source status error').lean();
  return new Map(ended.map(({ source, status, error }) => [source, status === 300 ? 300 : String(error?.code)]));
};

const warmUp = async (trial: HostileTrial) => {
  const warm = Array.from({ length: WARM_PAGES }, (_, index) => trial.site.url(`/warm-${index}`));
  await outcomesOf(trial, warm, 60);
  await convertSitemap(trial, trial.site.url('/50000.xml'));
};

/** Stops everything that the trial started. */
export const closeHostileTrial = async ({ fleet, rawSite, site }: Pick<HostileTrial, 'fleet' | 'rawSite' | 'site'>) => {
  for (const part of [fleet, rawSite, site]) await part.close();
};

/** Starts a warm trial, with `settings` for its processes. */
export const aHostileTrial = async (settings: Record<string, string> = {}): Promise<HostileTrial> => {
  const [rawSite, site] = await Promise.all([aHostileSite(), aSiteOfPages()]);
  const fleet = await aFleet({ ...SHORT_TIMEOUTS, ...settings });
  try {
    const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
    const { project, admin } = await aProject();
    const trial = { fleet, api, worker, rawSite, site, project: project.id, caller: withBasicAuth(admin) };
    await warmUp(trial);
    return trial;
  } catch (error) {
    await closeHostileTrial({ fleet, rawSite, site });
    throw error;
  }
};

/** Every hostile page, `copies` times, by address, with the expected results. */
const hostilePages = ({ rawSite, site }: HostileTrial, copies: number): [url: string, ends: AllowedOutcomes][] =>
  Array.from({ length: copies }, (_, copy) => [
    ...Object.entries(HOSTILE_RESPONSES).map(([path, ends]): [string, AllowedOutcomes] => [
      rawSite.url(`${path}#${copy}`),
      ends,
    ]),
    ...Object.entries(HOSTILE_PAGES).map(([path, [, ends]]): [string, AllowedOutcomes] => [
      site.url(`${path}#${copy}`),
      ends,
    ]),
  ]).flat();

const convertSitemap = async (trial: HostileTrial, sitemap: string): Promise<SitemapResult> => {
  const { status, body, text } = await post(trial, 'sitemap', { sitemap });
  if (status !== 200) throw new Error(text);
  const codes = body.errors.map(({ message }: { message: string }) => message.split(':')[0]);
  return { sites: body.sites.length, errors: [...new Set<string>(codes)] };
};

/** Every hostile sitemap by address, with the expected result. */
export const hostileSitemaps = ({
  rawSite,
  site,
}: Pick<HostileTrial, 'rawSite' | 'site'>): [url: string, must: SitemapResult][] => [
  ...Object.entries(HOSTILE_SITEMAPS).map(([path, [, must]]): [string, SitemapResult] => [site.url(path), must]),
  ...Object.entries(HOSTILE_SITEMAP_RESPONSES).map(([path, must]): [string, SitemapResult] => [
    rawSite.url(path),
    must,
  ]),
];

/** Converts every hostile sitemap `copies` times, a few at a time. Returns the actual and expected results. */
const convertSitemaps = async (
  trial: HostileTrial,
  copies: number,
): Promise<[url: string, SitemapResult, must: SitemapResult][]> => {
  const left = Array.from({ length: copies }, () => hostileSitemaps(trial))
    .flat()
    .values();
  const done: [string, SitemapResult, SitemapResult][] = [];
  const client = async () => {
    for (const [url, must] of left) done.push([url, await convertSitemap(trial, url), must]);
  };
  await Promise.all(Array.from({ length: PARALLEL_CONVERSIONS }, client));
  return done;
};

/** Codes of failures that a busy machine may cause. */
const TIMEOUT_CODES = ['TIMEOUT', 'PARSE_TIMEOUT'];

/**
 * Retries each page that timed out unexpectedly, one page after the other and without other load. Replaces the result
 * of the page in `ends`.
 */
const repeatSlowPages = async (
  trial: HostileTrial,
  pages: [url: string, ends: AllowedOutcomes][],
  ends: Map<string, string | number>,
): Promise<void> => {
  for (const [url, must] of pages) {
    const end = String(ends.get(url));
    if (!TIMEOUT_CODES.includes(end) || must.includes(end)) continue;
    const again = `${url}-again`; // the same page: the addresses differ only in their fragments
    ends.set(url, (await outcomesOf(trial, [again], 30)).get(again) ?? end);
  }
};

/** Retries each sitemap whose conversion timed out unexpectedly. Replaces its result in `converted`. */
const repeatSlowSitemaps = async (
  trial: HostileTrial,
  converted: [url: string, SitemapResult, must: SitemapResult][],
): Promise<void> => {
  for (const each of converted) {
    const [url, { errors }, must] = each;
    if (TIMEOUT_CODES.some((code) => errors.includes(code) && !must.errors.join('|').split('|').includes(code)))
      each[1] = await convertSitemap(trial, url);
  }
};

/** The expected result; where it allows several error codes, only the actual one remains. */
export const expectedResultFor = ({ sites, errors }: SitemapResult, actual: SitemapResult): SitemapResult => ({
  sites,
  errors: errors.map((codes) => codes.split('|').find((code) => actual.errors.includes(code)) ?? codes),
});

/**
 * Imports every hostile page and converts every hostile sitemap `copies` times in a warm trial. Returns unexpected
 * results and the measurements of the API and the worker.
 */
export const runHostileTrial = async (trial: HostileTrial, copies = 1) => {
  const pages = hostilePages(trial, copies);
  const list = pages.map(([url]) => url);
  const watches = await Promise.all([trial.api, trial.worker].map(startWatch));
  const [ends, converted] = await Promise.all([
    outcomesOf(trial, list, 150 + 30 * copies),
    convertSitemaps(trial, copies),
  ]);
  const [api, worker] = await Promise.all(watches.map((end) => end()));
  await repeatSlowPages(trial, pages, ends);
  await repeatSlowSitemaps(trial, converted);
  const wrong = [
    ...pages.map(([url, must]) => [
      url,
      { ends: ends.get(url) },
      { ends: must.find((end) => end === ends.get(url)) ?? must },
    ]),
    ...converted.map(([url, actual, must]) => [url, actual, expectedResultFor(must, actual)]),
  ].filter(([, actual, must]) => !isDeepStrictEqual(actual, must));
  return { wrong, api: api as LoopReading, worker: worker as LoopReading };
};
