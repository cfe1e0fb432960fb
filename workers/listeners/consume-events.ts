/** Runs a listener on new events of the changes log, page by page. */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';
import { config } from '#shared/config.ts';
import {
  blocksKey,
  type DeferredEntry,
  deferBehind,
  deferFailed,
  findDeferred,
  postponeAttempt,
  resolveDeferred,
} from '#shared/domain/events/deferred-events.ts';
import { advanceCursor, cursorOf, type OrderedEvent, readEvents } from '#shared/domain/events/listeners.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { shutdownSignal } from '../shutdown.ts';
import { handleEvent, MAX_ATTEMPT_MS, type RunnableListener } from './handle-event.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
/** A page waits at most this long for its events; the remaining ones are deferred. */
const PAGE_TIMEOUT_MS = 2000;
/** If the deferral of a running event is not renewed within this time, another worker takes the event over. */
const LEASE_MS = 6000;

/** The result of one time slice. */
interface ConsumedSlice {
  /** The log has more events. */
  hasMore: boolean;
  /** Projects with newly deferred events. */
  deferredProjects: Set<string>;
}

/** The deadline of a page. */
interface PageDeadline {
  expired: Promise<'over'>;
  isExpired(): boolean;
}

/**
 * Slow projects, by listener: a page timed out on their events within the last minute. Their events are deferred
 * without an attempt. Kept per process.
 */
const slowProjects = new TtlCache<true>({ ttlMs: MAX_ATTEMPT_MS, max: 10_000 });
const slowProjectKey = ({ name }: RunnableListener, id_project: string): string => `${name} ${id_project}`;

const unfinishedWork = new Set<Promise<void>>();

/** Waits for the handlers that were still running when their page ended. */
export const waitForUnfinishedWork = async (): Promise<void> => {
  await Promise.allSettled(unfinishedWork);
};

const handleOrDefer = async (listener: RunnableListener, ref: OrderedEvent): Promise<DeferredEntry | null> => {
  try {
    await handleEvent(listener, ref);
    return null;
  } catch (error) {
    return deferFailed(listener, ref, { attemptsMade: 0, waitingSince: new Date(), error });
  }
};

const resolveWhenDone = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  work: Promise<DeferredEntry | null>,
): Promise<void> => {
  try {
    if (!(await work)) await resolveDeferred(listener, ref);
    await enqueue('events.retry-deferred', { listener: listener.name, id_project: ref.id_project });
  } catch (error) {
    logger.warn(
      { listener: listener.name, event: ref.id, err: error },
      'result of a deferred event not stored; the event is retried',
    );
  }
};

/**
 * Defers an event whose handler is still running. The deferral is renewed until the handler ends, so that another
 * worker retries the event soon if this process dies.
 */
const deferRunning = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  work: Promise<DeferredEntry | null>,
): Promise<DeferredEntry> => {
  slowProjects.set(slowProjectKey(listener, ref.id_project), true);
  const leaseEnd = () => new Date(Date.now() + LEASE_MS);
  const renew = () =>
    postponeAttempt(listener, ref, leaseEnd()).catch((error: Error) =>
      logger.warn({ err: error.message }, 'deferral of a running event not renewed'),
    );
  const deferred = await deferBehind(listener, ref, { nextAttemptAt: leaseEnd() });
  const renewTimer = setInterval(renew, LEASE_MS / 3);
  const done = resolveWhenDone(listener, ref, work).finally(() => {
    clearInterval(renewTimer);
    unfinishedWork.delete(done);
  });
  unfinishedWork.add(done);
  return deferred;
};

const handleBeforeDeadline = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  deadline: PageDeadline,
): Promise<DeferredEntry | null> => {
  if (deadline.isExpired()) return deferBehind(listener, ref);
  const work = handleOrDefer(listener, ref);
  const result = await Promise.race([work, deadline.expired]);
  return result === 'over' ? deferRunning(listener, ref, work) : result;
};

/** New and deferred events of one ordering key, with the deadline of the page. */
interface KeyedEvents {
  events: OrderedEvent[];
  deferred: DeferredEntry[];
  deadline: PageDeadline;
}

/**
 * Handles the new events of one ordering key in order, behind its deferred events. Returns the number of newly deferred
 * events.
 */
const handleInOrder = async (
  listener: RunnableListener,
  { events, deferred, deadline }: KeyedEvents,
): Promise<number> => {
  const pending = [...deferred];
  for (const ref of events) {
    if (pending.some(({ id }) => id === ref.id)) continue;
    const blocking = pending.find((each) => each.position < ref.position && blocksKey(each));
    const added = blocking
      ? await deferBehind(listener, ref, { waitingSince: blocking.waitingSince })
      : await handleBeforeDeadline(listener, ref, deadline);
    if (added) pending.push(added);
  }
  return pending.length - deferred.length;
};

/** Starts the deadline of a page; call `end` when the page is done. */
const startDeadline = (ms: number) => {
  let hasExpired = false;
  const { promise: expired, resolve } = Promise.withResolvers<'over'>();
  const timer = setTimeout(() => {
    hasExpired = true;
    resolve('over');
  }, ms);
  return { expired, isExpired: () => hasExpired, end: () => clearTimeout(timer) };
};

const EXPIRED_DEADLINE: PageDeadline = { expired: Promise.resolve('over'), isExpired: () => true };

/** Handles the events of a page, ordering keys in parallel. Returns the projects with newly deferred events. */
const handlePage = async (listener: RunnableListener, page: OrderedEvent[]): Promise<Set<string>> => {
  const groups = [...Map.groupBy(page, ({ orderingKey }) => orderingKey).values()];
  const isSlow = ([first]: OrderedEvent[]) =>
    slowProjects.get(slowProjectKey(listener, first?.id_project ?? '')) === true;
  const keys = groups.filter((events) => !isSlow(events)).map(([first]) => first?.orderingKey ?? '');
  const deferredByKey = Map.groupBy(await findDeferred(listener, keys), ({ orderingKey }) => orderingKey);
  const deadline = startDeadline(listener.limits?.pageMs ?? PAGE_TIMEOUT_MS);
  const deferredProjects = new Set<string>();
  const handleGroup = async (events: OrderedEvent[]): Promise<void> => {
    const [{ orderingKey, id_project }] = events as [OrderedEvent];
    const deferred = deferredByKey.get(orderingKey) ?? [];
    const ownDeadline = isSlow(events) ? EXPIRED_DEADLINE : deadline;
    if (await handleInOrder(listener, { events, deferred, deadline: ownDeadline })) deferredProjects.add(id_project);
  };
  await Promise.all(groups.map(handleGroup)).finally(deadline.end);
  return deferredProjects;
};

/**
 * Runs a listener on new events, page by page, for one time slice. The cursor moves when every event of a page was
 * handled or deferred. The page of a killed worker is handled again, with the same ids for its effects; for the same
 * reason, two jobs of one listener may run at the same time.
 */
export const consumeEvents = async (listener: RunnableListener): Promise<ConsumedSlice> => {
  const end = performance.now() + TIME_SLICE_MS;
  const deferredProjects = new Set<string>();
  while (performance.now() < end && !shutdownSignal.aborted) {
    const from = await cursorOf(listener.name);
    const page = await readEvents(listener, from);
    const last = page.at(-1);
    if (!last) return { hasMore: false, deferredProjects };
    for (const id_project of await handlePage(listener, page)) deferredProjects.add(id_project);
    await advanceCursor(listener.name, { from, to: last.position });
  }
  return { hasMore: true, deferredProjects };
};
