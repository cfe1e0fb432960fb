/** Telling whoever follows that there is something new. A nudge says no more than that, and may be lost. */
import { nudge as nudgeListeners } from '#shared/domain/events/listeners.ts';
import { nudgeChannel } from '#shared/domain/events/tails.ts';
import { impatientRedis } from '#shared/redis.ts';
import type { Entry } from './payloads.ts';

let redis: ReturnType<typeof impatientRedis> | undefined;
let projects = new Set<string>();
let events = new Set<string>();
let busy = false;

const publish = async (some: Set<string>): Promise<void> => {
  redis ??= impatientRedis();
  const pipeline = redis.pipeline();
  for (const project of some) pipeline.publish(nudgeChannel(project), '');
  await pipeline.exec();
};

const tellAll = async (): Promise<void> => {
  const [someProjects, someEvents] = [projects, events];
  [projects, events] = [new Set(), new Set()];
  await Promise.all([publish(someProjects), nudgeListeners(someEvents)]);
};

/** One after the other, those of meanwhile together: a slow Redis never holds up the relay. */
const tell = async (): Promise<void> => {
  busy = true;
  while (projects.size) await tellAll().catch(() => undefined); // whoever follows looks by itself every second
  busy = false;
};

/** Nudge whoever follows the projects of these entries or listens to their events. */
export const nudge = (entries: Entry[]): void => {
  for (const { id_project, event } of entries) {
    projects.add(id_project);
    events.add(event);
  }
  if (!busy) void tell();
};

/** Let the process end. */
export const closeNudges = (): void => {
  redis?.disconnect();
  redis = undefined;
};
