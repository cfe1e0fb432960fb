/** One project's huge import, and what its neighbours notice of it. */
import { decodeTime } from 'ulid';
import { setTimeout as sleep } from 'node:timers/promises';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { type Caller, call } from './api.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet } from './fleet.ts';
import { byPassword } from './persistent.ts';
import { bigPage } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { times } from './stage.ts';
import { until } from './until.ts';

const DELAYS_MS = [0, 200, 2000];
const LONG = 30;
const SHORT = 2;
const A_CALL = 10_000;
/** Pages fetched by then, so that all slots are busy and vectors are waited for. */
const UNDER_WAY = 40;

/** Answered after 0, 200 or 2,000 ms, a third of each with 30 passages. */
const pageAt = (path: string): FakePage | undefined => {
  const at = Number(/^\/page(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(at)) return undefined;
  const sections = Math.floor(at / DELAYS_MS.length) % 3 === 0 ? LONG : SHORT;
  return { body: bigPage(String(at), sections), delayMs: DELAYS_MS[at % DELAYS_MS.length] };
};

/** A site without end: `/page0`, `/page1` … */
const anEndlessSite = () => aSite(new Proxy<Record<string, FakePage>>({}, { get: (_, path) => pageAt(String(path)) }));

/** Settings of a town whose vectors (of 384 numbers) come from this provider. */
export const withProvider = ({ baseUrl }: { baseUrl: string }) => ({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: 'none',
  EMBEDDING_MODEL: 'fake',
  EMBEDDING_DIMENSION: '384',
});

/** An API, one worker, and a site of small pages that all projects but one import from. */
export const aTown = async (settings: Record<string, string>) => {
  const site = await aSite();
  const fleet = await aFleet({ CHUNK_TOKENS: '100', SWEEP_SECONDS: '15', SLICE_SECONDS: '2', ...settings });
  const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
  const pages = (name: string, count: number): string[] =>
    times(count, (at) => {
      site.pages[`/${name}-${at}`] = bigPage(`${name}${at}`, SHORT);
      return site.url(`/${name}-${at}`);
    });
  const close = async () => {
    await fleet.close();
    await site.close();
  };
  return { url, site, pages, close };
};

/** A town. */
export type Town = Awaited<ReturnType<typeof aTown>>;

/** A project that asks the API at `url`. */
const aTenant = async (url: string) => {
  const { project, admin } = await aProject();
  const { authorization } = byPassword(admin) satisfies Caller;
  const post = async (path: string, body: unknown) => {
    const reply = await call('POST', `${url}/v3/${project.id}${path}`, { body, headers: { authorization } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };
  const { id } = project;
  const add = async (source: string): Promise<string> =>
    (await post('/kb', { type: 'url', source, name: source, namespace: id })).value._id;
  const addAll = async (list: string[]): Promise<void> => {
    for (let at = 0; at < list.length; at += A_CALL)
      await post(`/kb/multi?namespace=${id}`, { list: list.slice(at, at + A_CALL) });
  };
  return { id, add, addAll };
};

type Tenant = Awaited<ReturnType<typeof aTenant>>;

const isIndexed = async (id_project: string, _id: string): Promise<boolean> =>
  Boolean(await KbContent.exists({ _id, id_project, status: STATUS.indexed }));

const indexed = async (tenant: Tenant, id: string, seconds = 30): Promise<void> => {
  for (const end = Date.now() + seconds * 1000; !(await isIndexed(tenant.id, id)); await sleep(20))
    if (Date.now() > end) throw new Error(`${id} was not indexed within ${seconds} s`);
};

/** Milliseconds from the call that adds a page to the end of its indexing. */
const timeOf = async (tenant: Tenant, source: string): Promise<number> => {
  const start = performance.now();
  await indexed(tenant, await tenant.add(source));
  return performance.now() - start;
};

const APART_MS = 600;

/** The times of pages that are added one after the other, at random moments of their neighbours' turns. */
const timesOf = async (tenant: Tenant, sources: string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const source of sources) {
    await sleep(Math.random() * APART_MS);
    found.push(await timeOf(tenant, source));
  }
  return found;
};

/** The middle one. */
const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A page added about when the pump was done with the one before: how long after its end, and how long it waited (ms). */
interface Handover {
  after: number;
  waited: number;
}

/** What a call needs to store a page, about. */
const CALL_MS = 12;
const FIRST_MS = 40;

const timesIn = async (id_project: string, _id: string) => {
  const fields = { current: 1, createdAt: 1, last_refresh: 1 } as const;
  const content = await KbContent.findOne({ _id, id_project }, fields).lean();
  return {
    created: Number(content?.createdAt),
    taken: decodeTime(content?.current ?? ''),
    ended: Number(content?.last_refresh),
  };
};

/** Adds a page and, when it should be done (after `span` milliseconds since the site was asked), another one. */
const handover = async (
  { tenant, site }: { tenant: Tenant; site: Town['site'] },
  [first, second]: string[],
  span: number,
) => {
  const one = await tenant.add(first as string);
  await until(() => site.hits.has(new URL(first as string).pathname), 20);
  const asked = Date.now();
  await sleep(Math.max(0, span * (0.5 + Math.random()) - CALL_MS));
  const two = await tenant.add(second as string);
  await Promise.all([indexed(tenant, one), indexed(tenant, two)]);
  const [before, after] = await Promise.all([timesIn(tenant.id, one), timesIn(tenant.id, two)]);
  const found: Handover = { after: after.created - before.ended, waited: after.taken - after.created };
  return { found, span: before.ended - asked };
};

/** Handovers of projects side by side, each one after the other. */
export const handovers = async (town: Town, { projects, each }: { projects: number; each: number }) => {
  const chain = async (name: string) => {
    const tenant = await aTenant(town.url);
    const sources = town.pages(name, each * 2);
    const all: Handover[] = [];
    let next = FIRST_MS;
    for (let at = 0; at < sources.length; at += 2) {
      const { found, span } = await handover({ tenant, site: town.site }, sources.slice(at, at + 2), next);
      all.push(found);
      next = span;
    }
    return all;
  };
  return (await Promise.all(times(projects, (at) => chain(`chain${at}`)))).flat();
};

/** A neighbour's single pages, before and during an import of `pages`: the usual time, and each one then (ms). */
export const besideAnImport = async (town: Town, { pages, neighbours }: { pages: number; neighbours: number }) => {
  const [neighbour, huge] = [await aTenant(town.url), await aTenant(town.url)];
  const idle = median(await timesOf(neighbour, town.pages('idle', 5)));
  const endless = await anEndlessSite();
  await huge.addAll(times(pages, (at) => endless.url(`/page${at}`)));
  await until(() => endless.hits.size > UNDER_WAY, 60);
  const busy = await timesOf(neighbour, town.pages('busy', neighbours));
  const fetched = endless.hits.size;
  await endless.close();
  return { idle, busy, fetched };
};
