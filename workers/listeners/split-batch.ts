/**
 * Splits a batch of events into those that are handled immediately and those that are deferred. The retry job of a
 * project handles its deferred events, so that no other project waits for them.
 */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';
import type { EventBatch, ListenerDefinition, OrderedEvent } from '#shared/domain/events/listeners.ts';
import { MAX_ATTEMPT_MS } from './handle-event.ts';

/**
 * Number of events of each project that a batch handles without deferring them. `UNDEFERRED_EVENTS_PER_SECOND` may
 * raise it.
 */
const UNDEFERRED_EVENTS = 8;
/**
 * If a project emits at most this many events per second, none is deferred because of their number, but all are while
 * the project is deferred after a timeout or because of a backlog. Without this limit, a listener that lags, for
 * example on a busy machine, would defer the events of every active project and lag even more.
 */
const UNDEFERRED_EVENTS_PER_SECOND = 32;
/** Maximum number of events that are handled in a batch; the batch ends at the last of them. */
const MAX_EVENTS_HANDLED = 100;
/** How long the new events of a project with many deferred events are deferred without an attempt. */
const BACKLOG_MS = 5000;

/** Projects whose events are deferred without an attempt, by listener. Each process has its own list. */
const deferredProjects = new TtlCache<true>({ ttlMs: MAX_ATTEMPT_MS, max: 10_000 });
const projectKey = ({ name }: ListenerDefinition, id_project: string): string => `${name} ${id_project}`;
const isDeferred = (listener: ListenerDefinition, id_project: string): boolean =>
  deferredProjects.get(projectKey(listener, id_project)) === true;

/** Defers the events of a project for a minute, because a batch timed out on one of them. */
export const deferSlowProject = (listener: ListenerDefinition, id_project: string): void =>
  deferredProjects.set(projectKey(listener, id_project), true);

/** Defers the events of a project for five seconds if it has more than `UNDEFERRED_EVENTS` deferred events. */
export const deferBacklogs = (listener: ListenerDefinition, deferred: OrderedEvent[]): void => {
  for (const [id_project, projectEvents] of Map.groupBy(deferred, (event) => event.id_project))
    if (projectEvents.length > UNDEFERRED_EVENTS && !isDeferred(listener, id_project))
      deferredProjects.set(projectKey(listener, id_project), true, BACKLOG_MS);
};

/** The events of a batch that are handled immediately and those that are deferred, both in log order. */
export interface SplitBatch {
  toHandle: OrderedEvent[];
  toDefer: OrderedEvent[];
  /** The event at which the batch ends. */
  last: OrderedEvent;
}

/**
 * Splits a batch that begins with `first`. The first events of each project are handled, except those of deferred
 * projects. The batch ends early when it has enough events to handle.
 */
export const splitBatch = (
  listener: ListenerDefinition,
  first: OrderedEvent,
  { events, durationSeconds }: Pick<EventBatch, 'events' | 'durationSeconds'>,
): SplitBatch => {
  const maxEvents = Math.max(UNDEFERRED_EVENTS, UNDEFERRED_EVENTS_PER_SECOND * durationSeconds);
  const counts = new Map<string, number>();
  const split: SplitBatch = { toHandle: [], toDefer: [], last: first };
  for (const event of events) {
    const count = (counts.get(event.id_project) ?? 0) + 1;
    counts.set(event.id_project, count);
    const isHandled = count <= maxEvents && !isDeferred(listener, event.id_project);
    (isHandled ? split.toHandle : split.toDefer).push(event);
    split.last = event;
    if (split.toHandle.length === MAX_EVENTS_HANDLED) break;
  }
  deferBacklogs(listener, split.toDefer);
  return split;
};
