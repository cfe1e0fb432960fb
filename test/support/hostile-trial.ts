/** Hostile pages and sitemaps through the real endpoints, the API and a worker watched meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { call, type Caller } from './api.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet, type Fleet, type Member } from './fleet.ts';
import { type Conversion, type Ends, PAGES, partsOf, SITEMAPS, WIRE, WIRE_SITEMAPS } from './hostile-pages.ts';
import { aHostileSite } from './hostile-site.ts';
import { byPassword } from './persistent.ts';
import { bigPage } from './numbered-pages.ts';
import type { Reading } from './loop-watch.ts';
import { aProject } from './people.ts';
import { until } from './until.ts';
import { anIdler, watch, WATCHED } from './watched.ts';

/** Short deadlines, so that slow sites are given up quickly; as in production, for the suite's check of replies holds up the API. */
const QUICK = { NODE_ENV: 'production', FETCH_TIMEOUT: '2', PARSE_TIMEOUT: '2', ...WATCHED };
const WARM_PAGES = 100;
const INDEX_FILES = 501;
const LOOK_MS = 200;
/** Conversions a client has under way at once. */
const AT_ONCE = 4;

type Site = { origin: string; url(path: string): string; close(): Promise<unknown> };

/** A fleet with hostile sites around it, warm: its worker has indexed a hundred pages, its API has converted a sitemap. */
type Trial = {
  fleet: Fleet;
  api: Member;
  worker: Member;
  idler: Awaited<ReturnType<typeof anIdler>>;
  wire: Site;
  site: Site;
  project: string;
  caller: Caller;
};

const aSiteOfPages = async (): Promise<Site> => {
  const pages: Record<string, FakePage> = partsOf(INDEX_FILES);
  const site = await aSite(pages);
  for (const [path, [page]] of Object.entries(PAGES)) pages[path] = page();
  for (const [path, [page]] of Object.entries(SITEMAPS)) pages[path] = page(site.url);
  for (let at = 0; at < WARM_PAGES; at++) pages[`/warm-${at}`] = bigPage(`warm ${at}`, 2);
  return site;
};

const post = ({ api, caller: { authorization }, project }: Trial, path: string, body: object) =>
  call('POST', `${api.url}/v3/${project}/kb/${path}`, { body, headers: { authorization } });

/** Retries wait for seconds by the clock; here the clock of those that wait is put forward. */
const hurry = (project: string) =>
  KbContent.updateMany({ id_project: project, status: STATUS.queued, failures: { $gt: 0 } }, { due: new Date() });

/** Looks a few times a second: looking all the time would take a processor. */
const allEnded = async (project: string) => {
  await sleep(LOOK_MS);
  await hurry(project);
  return (await KbContent.countDocuments({ id_project: project, status: { $lt: STATUS.indexed } })) === 0;
};

/** Adds pages by one call and waits until each has ended: 300, or the code of its error, by address. */
const endsOf = async (trial: Trial, list: string[], seconds: number): Promise<Map<string, string | number>> => {
  const { project } = trial;
  const added = await post(trial, `multi?namespace=${project}`, { list });
  if (added.status !== 200) throw new Error(added.text);
  await until(() => allEnded(project), seconds);
  const ended = await KbContent.find({ id_project: project, source: { $in: list } }, 'source status error').lean();
  return new Map(ended.map(({ source, status, error }) => [source, status === 300 ? 300 : String(error?.code)]));
};

const warmUp = async (trial: Trial) => {
  const warm = Array.from({ length: WARM_PAGES }, (_, at) => trial.site.url(`/warm-${at}`));
  await endsOf(trial, warm, 60);
  await convert(trial, trial.site.url('/50000.xml'));
};

/** Ends the trial with all it started. */
export const closeTrial = async ({ fleet, wire, site, idler }: Pick<Trial, 'fleet' | 'wire' | 'site' | 'idler'>) => {
  for (const part of [fleet, wire, site, idler]) await part.close();
};

/** Makes a warm trial; with `settings` for its processes, such as the model. One that does not come up leaves nothing behind. */
export const aTrial = async (settings: Record<string, string> = {}): Promise<Trial> => {
  const [wire, site, idler] = await Promise.all([aHostileSite(), aSiteOfPages(), anIdler()]);
  const fleet = await aFleet({ ...QUICK, ...settings });
  try {
    const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
    const { project, admin } = await aProject();
    const trial = { fleet, api, worker, idler, wire, site, project: project.id, caller: byPassword(admin) };
    await warmUp(trial);
    return trial;
  } catch (error) {
    await closeTrial({ fleet, wire, site, idler });
    throw error;
  }
};

/** Every hostile page, `copies` times, by address, with how it must end. */
const hostilePages = ({ wire, site }: Trial, copies: number): [url: string, ends: Ends][] =>
  Array.from({ length: copies }, (_, copy) => [
    ...Object.entries(WIRE).map(([path, ends]): [string, Ends] => [wire.url(`${path}#${copy}`), ends]),
    ...Object.entries(PAGES).map(([path, [, ends]]): [string, Ends] => [site.url(`${path}#${copy}`), ends]),
  ]).flat();

const convert = async (trial: Trial, sitemap: string): Promise<Conversion> => {
  const { status, body, text } = await post(trial, 'sitemap', { sitemap });
  if (status !== 200) throw new Error(text);
  const codes = body.errors.map(({ message }: { message: string }) => message.split(':')[0]);
  return { sites: body.sites.length, errors: [...new Set<string>(codes)] };
};

const hostileSitemaps = ({ wire, site }: Trial): [url: string, must: Conversion][] => [
  ...Object.entries(SITEMAPS).map(([path, [, must]]): [string, Conversion] => [site.url(path), must]),
  ...Object.entries(WIRE_SITEMAPS).map(([path, must]): [string, Conversion] => [wire.url(path), must]),
];

/** Every hostile sitemap, `copies` of each, a few at once, with how it ended and how it must. */
const conversions = async (trial: Trial, copies: number): Promise<[url: string, Conversion, must: Conversion][]> => {
  const left = Array.from({ length: copies }, () => hostileSitemaps(trial))
    .flat()
    .values();
  const done: [string, Conversion, Conversion][] = [];
  const client = async () => {
    for (const [url, must] of left) done.push([url, await convert(trial, url), must]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return done;
};

/** Where the speed of the machine decides between two codes, the one that was found. */
const asFound = ({ sites, errors }: Conversion, found: Conversion): Conversion => ({
  sites,
  errors: errors.map((codes) => codes.split('|').find((code) => found.errors.includes(code)) ?? codes),
});

/** Sends every hostile page and sitemap, `copies` of each, through a warm trial: what ended otherwise than it must, and how both processes fared. */
export const attack = async (trial: Trial, copies = 1) => {
  const pages = hostilePages(trial, copies);
  const list = pages.map(([url]) => url);
  const watches = await Promise.all([trial.api, trial.worker, trial.idler].map(watch));
  const [ends, converted] = await Promise.all([endsOf(trial, list, 30 + 30 * copies), conversions(trial, copies)]);
  const [api, worker, idler] = await Promise.all(watches.map((end) => end()));
  const wrong = [
    ...pages.map(([url, must]) => [
      url,
      { ends: ends.get(url) },
      { ends: must.find((end) => end === ends.get(url)) ?? must },
    ]),
    ...converted.map(([url, found, must]) => [url, found, asFound(must, found)]),
  ].filter(([, found, must]) => !isDeepStrictEqual(found, must));
  return { wrong, api: api as Reading, worker: worker as Reading, idler: idler as Reading };
};
