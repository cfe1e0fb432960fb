/** One project's huge import, and what its neighbours notice of it. */
import { decodeTime } from 'ulid';
import { setTimeout as sleep } from 'node:timers/promises';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { type Caller, call } from './api.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { byPassword } from './persistent.ts';
import { bigPage } from './numbered-pages.ts';
import { aProject } from './people.ts';
import { until } from './until.ts';

const DELAYS_MS = [0, 200, 2000];
const LONG = 30;
const SHORT = 2;
const A_CALL = 10_000;

/** Answered after 0, 200 or 2,000 ms, a third of each with 30 passages. */
const pageAt = (path: string): FakePage | undefined => {
  const at = Number(/^\/page(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(at)) return undefined;
  const sections = Math.floor(at / DELAYS_MS.length) % 3 === 0 ? LONG : SHORT;
  return { body: bigPage(String(at), sections), delayMs: DELAYS_MS[at % DELAYS_MS.length] };
};

/** A site without end: `/page0`, `/page1` … */
export const anEndlessSite = () =>
  aSite(new Proxy<Record<string, FakePage>>({}, { get: (_, path) => pageAt(String(path)) }));

/** A project that asks the API at `url`. */
export const aTenant = async (url: string) => {
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

/** A project that imports. */
export type Tenant = Awaited<ReturnType<typeof aTenant>>;

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
export const timesOf = async (tenant: Tenant, sources: string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const source of sources) {
    await sleep(Math.random() * APART_MS);
    found.push(await timeOf(tenant, source));
  }
  return found;
};

/** The middle one. */
export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A page added about when the pump was done with the one before: how near (ms), and how long it waited (ms). */
export interface Handover {
  near: number;
  waited: number;
}

const SPREAD_MS = 60;

/** Adds a page and, at a random moment after the site was asked for it, another one. */
export const handover = async (
  tenant: Tenant,
  site: Awaited<ReturnType<typeof aSite>>,
  [first, second]: [string, string],
): Promise<Handover> => {
  const one = await tenant.add(first);
  await until(() => site.hits.has(new URL(first).pathname), 20);
  await sleep(Math.random() * SPREAD_MS);
  const two = await tenant.add(second);
  await Promise.all([indexed(tenant, one), indexed(tenant, two)]);
  const [before, after] = await Promise.all(
    [one, two].map((_id) =>
      KbContent.findOne({ _id, id_project: tenant.id }, { current: 1, createdAt: 1, last_refresh: 1 }).lean(),
    ),
  );
  const created = Number(after?.createdAt);
  return {
    near: created - Number(before?.last_refresh),
    waited: decodeTime(after?.current ?? '') - created,
  };
};
