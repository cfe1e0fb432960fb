/**
 * Following the changes log: one reader of it per project and process, however many follow there. A nudge (Redis pub/sub)
 * says that a project's log has grown; once a second one query asks it of all that are followed, so that a lost
 * nudge costs a second, and Redis away nothing else. Projects that nobody follows are not looked at.
 */
import type { Redis } from 'ioredis';
import { config } from '../../config.ts';
import { logger } from '../../logger.ts';
import { Change, EVERYBODY } from '../../models/change.ts';
import { patientRedis } from '../../redis.ts';
import { Tail } from './tail.ts';

const LOOK_MS = 1000;

const tails = new Map<string, Tail>();
let nudges: Redis | undefined;
let clock: NodeJS.Timeout | undefined;
let looking = false;

/** Where the relay nudges the followers of a project. */
export const nudgeChannel = (project: string): string => `${config.QUEUE_PREFIX}:changes:${project}`;

/** The last place of each project's log: one key of the index for each, no record. */
const endsOf = async (projects: string[]): Promise<Map<string, string>> => {
  const ends = await Change.aggregate<{ _id: string; last: string }>([
    { $match: { id_project: { $in: projects } } },
    { $sort: { id_project: -1, position: -1 } },
    { $group: { _id: '$id_project', last: { $first: '$position' } } },
  ]);
  return new Map(ends.map(({ _id, last }) => [_id, last]));
};

const endOf = (ends: Map<string, string>, project: string) => {
  const [own, gap] = [ends.get(project) ?? '', ends.get(EVERYBODY) ?? ''];
  return { last: own > gap ? own : gap, gap };
};

const look = async (): Promise<void> => {
  const ends = await endsOf([...tails.keys(), EVERYBODY]);
  for (const [project, tail] of tails) if (tail.due || endOf(ends, project).last > tail.last) tail.read();
};

/** One look at a time: a database that hangs is not asked again meanwhile. */
const lookOrWarn = async (): Promise<void> => {
  if (looking) return;
  looking = true;
  try {
    await look();
  } catch (error) {
    logger.warn({ err: (error as Error).message }, 'the changes log does not answer its followers');
  } finally {
    looking = false;
  }
};

/** Redis may be away: then the clock alone tells. */
const unheard = () => undefined;

const listener = (): Redis => {
  const redis = patientRedis({ connectionName: 'followers' });
  redis.on('message', (channel: string) => tails.get(channel.slice(nudgeChannel('').length))?.read());
  return redis;
};

const open = (project: string): Tail => {
  const tail = new Tail(project);
  tails.set(project, tail);
  nudges ??= listener();
  nudges.subscribe(nudgeChannel(project)).then(() => tail.read(), unheard);
  clock ??= setInterval(lookOrWarn, LOOK_MS);
  return tail;
};

const close = (tail: Tail): void => {
  tail.end();
  if (tails.get(tail.project) !== tail) return;
  tails.delete(tail.project);
  nudges?.unsubscribe(nudgeChannel(tail.project)).catch(unheard);
  if (tails.size) return;
  clearInterval(clock);
  clock = undefined;
};

/** Join those who follow a project; whoever joins must `leave`. */
export const join = async (project: string): Promise<Tail> => {
  const tail = tails.get(project) ?? open(project);
  tail.readers += 1;
  try {
    await tail.begun(async () => endOf(await endsOf([project, EVERYBODY]), project));
    return tail;
  } catch (error) {
    leave(tail);
    throw error;
  }
};

/** The last one out ends the tail. */
export const leave = (tail: Tail): void => {
  tail.readers -= 1;
  if (!tail.readers) close(tail);
};

/** Send all who follow away, as this process stops; whoever comes later is let in as ever. */
export const endFollowing = (): void => {
  for (const tail of [...tails.values()]) close(tail);
  nudges?.disconnect();
  nudges = undefined;
};
