/** A listener's way through the changes log. */
import { config } from '#shared/config.ts';
import { aside, hold, holds, type KeptAside, keepAside, letGo, putOff } from '#shared/domain/events/kept-aside.ts';
import { advance, cursorOf, type InLine, next } from '#shared/domain/events/listeners.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue.ts';
import { Recent } from '#shared/recent.ts';
import { stopping } from '../stopping.ts';
import { hear, LONGEST_MS, type Listening } from './hear.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;
/** A page of events waits no longer for any project. */
const PAGE_MS = 2000;
/** After this time without renewal, work that a page left behind is another worker's. */
const LEASE_MS = 6000;

/** What came of a slice of time. */
interface Slice {
  /** More events wait. */
  more: boolean;
  /** Projects with events that were kept aside. */
  kept: Set<string>;
}

/** The time of a page. */
interface PageTime {
  over: Promise<'over'>;
  isOver(): boolean;
}

/** Projects, by listener, that pages waited for in vain within a minute: their events are kept aside unheard. Each process finds out by itself. */
const slow = new Recent<true>({ ttlMs: LONGEST_MS, max: 10_000 });
const slowKey = ({ name }: Listening, id_project: string): string => `${name} ${id_project}`;

const unfinished = new Set<Promise<void>>();

/** Wait for the work that pages left behind. */
export const settled = async (): Promise<void> => {
  await Promise.allSettled(unfinished);
};

const hearOrKeep = async (listening: Listening, ref: InLine): Promise<KeptAside | null> => {
  try {
    await hear(listening, ref);
    return null;
  } catch (error) {
    return keepAside(listening, ref, { tries: 0, since: new Date(), error });
  }
};

const whenDone = async (listening: Listening, ref: InLine, work: Promise<KeptAside | null>): Promise<void> => {
  try {
    if (!(await work)) await letGo(listening, ref);
    await enqueue('events.retry-listener', { listener: listening.name, id_project: ref.id_project });
  } catch (error) {
    logger.warn({ listener: listening.name, event: ref.id, err: error }, 'not noted; the event is tried again');
  }
};

/** Keep an event aside while the work on it goes on: its lease is renewed, so that another attempt follows soon where this process dies. */
const leave = async (listening: Listening, ref: InLine, work: Promise<KeptAside | null>): Promise<KeptAside> => {
  slow.set(slowKey(listening, ref.id_project), true);
  const lease = () => new Date(Date.now() + LEASE_MS);
  const renew = () =>
    putOff(listening, ref, lease()).catch((error: Error) => logger.warn({ err: error.message }, 'lease not renewed'));
  const kept = await hold(listening, ref, { due: lease() });
  const renewing = setInterval(renew, LEASE_MS / 3);
  const done = whenDone(listening, ref, work).finally(() => {
    clearInterval(renewing);
    unfinished.delete(done);
  });
  unfinished.add(done);
  return kept;
};

const hearWithin = async (listening: Listening, ref: InLine, time: PageTime): Promise<KeptAside | null> => {
  if (time.isOver()) return hold(listening, ref);
  const work = hearOrKeep(listening, ref);
  const result = await Promise.race([work, time.over]);
  return result === 'over' ? leave(listening, ref, work) : result;
};

/** New events of one line, those of it that are aside, and the time there is. */
interface LineOfPage {
  line: InLine[];
  known: KeptAside[];
  time: PageTime;
}

/** Hear a line's new events one after the other, behind those of it that are aside; how many joined these. */
const hearLine = async (listening: Listening, { line, known, time }: LineOfPage): Promise<number> => {
  const kept = [...known];
  for (const ref of line) {
    if (kept.some(({ id }) => id === ref.id)) continue;
    const ahead = kept.find((each) => each.position < ref.position && holds(each));
    const added = ahead ? await hold(listening, ref, { since: ahead.since }) : await hearWithin(listening, ref, time);
    if (added) kept.push(added);
  }
  return kept.length - known.length;
};

/** The time of a page, from now on; `end` with the page. */
const timeOf = (ms: number) => {
  let isOver = false;
  const { promise: over, resolve } = Promise.withResolvers<'over'>();
  const timer = setTimeout(() => {
    isOver = true;
    resolve('over');
  }, ms);
  return { over, isOver: () => isOver, end: () => clearTimeout(timer) };
};

const NO_TIME: PageTime = { over: Promise.resolve('over'), isOver: () => true };

/** Hear the events of a page, its lines side by side; the projects of which some were kept aside. */
const hearPage = async (listening: Listening, page: InLine[]): Promise<Set<string>> => {
  const lines = [...Map.groupBy(page, ({ line }) => line).values()];
  const isSlow = ([first]: InLine[]) => slow.get(slowKey(listening, first?.id_project ?? '')) === true;
  const names = lines.filter((line) => !isSlow(line)).map(([first]) => first?.line ?? '');
  const waiting = Map.groupBy(await aside(listening, names), ({ line }) => line);
  const time = timeOf(listening.limits?.pageMs ?? PAGE_MS);
  const kept = new Set<string>();
  const hearOne = async (line: InLine[]): Promise<void> => {
    const [{ line: name, id_project }] = line as [InLine];
    const known = waiting.get(name) ?? [];
    if (await hearLine(listening, { line, known, time: isSlow(line) ? NO_TIME : time })) kept.add(id_project);
  };
  await Promise.all(lines.map(hearOne)).finally(time.end);
  return kept;
};

/**
 * Hear what is new, page by page, for one slice of time. The cursor moves when a whole page was heard or kept aside: a killed worker's
 * page is heard again by the next one, which makes the same records. A second pump beside this one so does no harm either.
 */
export const listen = async (listening: Listening): Promise<Slice> => {
  const end = performance.now() + SLICE_MS;
  const kept = new Set<string>();
  while (performance.now() < end && !stopping.aborted) {
    const from = await cursorOf(listening.name);
    const page = await next(listening, from);
    const last = page.at(-1);
    if (!last) return { more: false, kept };
    for (const id_project of await hearPage(listening, page)) kept.add(id_project);
    await advance(listening.name, { from, to: last.position });
  }
  return { more: true, kept };
};
