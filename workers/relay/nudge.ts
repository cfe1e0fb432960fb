/** Telling whoever follows that there is something new. A nudge says no more than that, and may be lost. */
import { config } from '#shared/config.ts';
import { impatientRedis } from '#shared/redis.ts';
import type { Entry } from './payloads.ts';

let redis: ReturnType<typeof impatientRedis> | undefined;
let waiting = new Set<string>();
let busy = false;

const publish = async (): Promise<void> => {
  redis ??= impatientRedis();
  const pipeline = redis.pipeline();
  for (const project of waiting) pipeline.publish(`${config.QUEUE_PREFIX}:changes:${project}`, '');
  waiting = new Set();
  await pipeline.exec();
};

/** One after the other, the projects of meanwhile together: a slow Redis never holds up the relay. */
const tell = async (): Promise<void> => {
  busy = true;
  while (waiting.size) await publish().catch(() => undefined); // a follower looks by itself every second
  busy = false;
};

/** Nudge those who follow the projects of these entries. */
export const nudge = (entries: Entry[]): void => {
  for (const { id_project } of entries) waiting.add(id_project);
  if (!busy) void tell();
};

/** Let the process end. */
export const closeNudges = (): void => {
  redis?.disconnect();
  redis = undefined;
};
