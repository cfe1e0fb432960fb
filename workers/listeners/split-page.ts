/**
 * Selects the events of a page that are handled at once. The others are deferred: the retry job of their project
 * handles them, and no other project waits for them.
 */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';
import type { ListenerDefinition, OrderedEvent } from '#shared/domain/events/listeners.ts';
import { MAX_ATTEMPT_MS } from './handle-event.ts';

/** Maximum number of events of one project that a page handles. */
const MAX_EVENTS_PER_PROJECT = 8;
/** Maximum number of events that a page handles. */
const MAX_EVENTS_PER_PAGE = 100;
/** How long the events of a project with many events are deferred. */
const BACKLOG_MS = 5000;

/** Projects whose events are deferred without an attempt, by listener. Kept per process. */
const deferredProjects = new TtlCache<true>({ ttlMs: MAX_ATTEMPT_MS, max: 10_000 });
const projectKey = ({ name }: ListenerDefinition, id_project: string): string => `${name} ${id_project}`;
const isDeferred = (listener: ListenerDefinition, id_project: string): boolean =>
  deferredProjects.get(projectKey(listener, id_project)) === true;

/** Defers the events of a project for a minute, because a page timed out on one of them. */
export const deferSlowProject = (listener: ListenerDefinition, id_project: string): void =>
  deferredProjects.set(projectKey(listener, id_project), true);

/** Defers the events of projects with more events than a page handles for five seconds. */
export const deferBacklogs = (listener: ListenerDefinition, events: OrderedEvent[]): void => {
  for (const [id_project, projectEvents] of Map.groupBy(events, (event) => event.id_project))
    if (projectEvents.length > MAX_EVENTS_PER_PROJECT && !isDeferred(listener, id_project))
      deferredProjects.set(projectKey(listener, id_project), true, BACKLOG_MS);
};

/** The events that a page handles and those that it defers, both in log order. */
export interface SplitPage {
  handled: OrderedEvent[];
  deferred: OrderedEvent[];
  /** The event at which the page ends. */
  last: OrderedEvent;
}

/**
 * Splits a page: the first events of each project are handled, and none of a deferred project. The page ends early when
 * it has enough events to handle.
 */
export const splitPage = (listener: ListenerDefinition, events: [OrderedEvent, ...OrderedEvent[]]): SplitPage => {
  const counts = new Map<string, number>();
  const split: SplitPage = { handled: [], deferred: [], last: events[0] };
  for (const event of events) {
    const count = (counts.get(event.id_project) ?? 0) + 1;
    counts.set(event.id_project, count);
    const isHandled = count <= MAX_EVENTS_PER_PROJECT && !isDeferred(listener, event.id_project);
    (isHandled ? split.handled : split.deferred).push(event);
    split.last = event;
    if (split.handled.length === MAX_EVENTS_PER_PAGE) break;
  }
  deferBacklogs(listener, split.deferred);
  return split;
};
