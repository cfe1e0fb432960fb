/**
 * Wakes up feeds and listeners after entries are appended to the changes log. A wake-up has no data and may be lost.
 */
import { wakeUpChannel } from '#shared/domain/events/feed-registry.ts';
import { wakeListeners } from '#shared/domain/events/listeners.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import type { ChangeEntry } from './payloads.ts';

let redis: ReturnType<typeof failFastRedis> | undefined;
let pendingProjects = new Set<string>();
let pendingEvents = new Set<string>();
let isSending = false;

const publishWakeUps = async (projectIds: Set<string>): Promise<void> => {
  redis ??= failFastRedis();
  const pipeline = redis.pipeline();
  for (const project of projectIds) pipeline.publish(wakeUpChannel(project), '');
  await pipeline.exec();
};

const sendPending = async (): Promise<void> => {
  const [projectIds, events] = [pendingProjects, pendingEvents];
  [pendingProjects, pendingEvents] = [new Set(), new Set()];
  await Promise.all([publishWakeUps(projectIds), wakeListeners(events)]);
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
