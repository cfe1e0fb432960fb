/**
 * Wakes up listeners and feeds after entries are appended to the changes log. A feed reads the changes of one project
 * for the clients of an API process. A wake-up has no data and may be lost.
 */
import { wakeUpChannel } from '#shared/domain/events/feed-registry.ts';
import { wakeListeners } from '#shared/domain/events/listeners.ts';
import { LOAD_EVENT, MIN_LOAD_EVENT_INTERVAL_MS } from '#shared/domain/routing/reservations.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import type { ChangeEntry } from './payloads.ts';

let redis: ReturnType<typeof failFastRedis> | undefined;
let pendingProjects = new Set<string>();
let pendingEvents = new Set<string>();
let isSending = false;
/** When the last enqueued job that emits load changes is due, in seconds since the epoch. */
let loadsDueAt = 0;

const publishWakeUps = async (projectIds: Set<string>): Promise<void> => {
  redis ??= failFastRedis();
  const pipeline = redis.pipeline();
  for (const project of projectIds) pipeline.publish(wakeUpChannel(project), '');
  await pipeline.exec();
};

/**
 * After an event that reports a change in an agent's load (the capacity in use), further changes in this load are held
 * back for a second. Enqueues the job that then emits them, at most one job per second.
 */
const wakeLoadChanges = async (events: Set<string>): Promise<void> => {
  if (!events.has(LOAD_EVENT)) return;
  const now = currentTimeMs();
  const second = Math.ceil((now + MIN_LOAD_EVENT_INTERVAL_MS) / 1000);
  if (second === loadsDueAt) return;
  loadsDueAt = second;
  await enqueue('maintenance.emit-load-changes', { second }, second * 1000 - now);
};

const sendPending = async (): Promise<void> => {
  const [projectIds, events] = [pendingProjects, pendingEvents];
  [pendingProjects, pendingEvents] = [new Set(), new Set()];
  await Promise.all([publishWakeUps(projectIds), wakeListeners(events), wakeLoadChanges(events)]);
};

/** Sends pending wake-ups in batches, one batch at a time, so that a slow Redis does not delay the relay. */
const drainPending = async (): Promise<void> => {
  isSending = true;
  // A lost wake-up only costs time: feeds poll every second, and a sweep wakes up listeners that have unread events.
  while (pendingProjects.size) await sendPending().catch(() => undefined);
  isSending = false;
};

/** Wakes up the feeds of these entries' projects and the listeners of their events, in the background. */
export const sendWakeUps = (entries: ChangeEntry[]): void => {
  for (const { id_project, event } of entries) {
    pendingProjects.add(id_project);
    pendingEvents.add(event);
  }
  if (!isSending) void drainPending();
};

/** Disconnects from Redis, so that the process can exit. */
export const closeWakeUps = (): void => {
  redis?.disconnect();
  redis = undefined;
};
