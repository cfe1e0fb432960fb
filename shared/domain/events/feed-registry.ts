/**
 * Follows the changes log for streaming clients, with one feed per project in each process: a buffer of the newest
 * changes (see feed-buffer.ts). A wake-up (Redis pub/sub) signals that a project has new changes. In addition, one
 * query per second checks all projects with readers, so that changes are delayed by at most a second if a wake-up is
 * lost or Redis is down.
 */
import { config } from '../../config.ts';
import { logger } from '../../logger.ts';
import { Change, GAP_PROJECT } from '../../models/change.ts';
import { blockingRedis, type RedisClient } from '../../queue/redis.ts';
import { FeedBuffer } from './feed-buffer.ts';

const POLL_INTERVAL_MS = 1000;

const feeds = new Map<string, FeedBuffer>();
let subscriber: RedisClient | undefined;
let pollTimer: NodeJS.Timeout | undefined;
let isPolling = false;

/** Returns the Redis channel on which the relay wakes up the feeds of a project. */
export const wakeUpChannel = (project: string): string => `${config.QUEUE_PREFIX}:changes:${project}`;

/** Returns the position of each project's last change. Reads one index key per project and no documents. */
const logEnds = async (projects: string[]): Promise<Map<string, string>> => {
  const ends = await Change.aggregate<{ _id: string; last: string }>([
    { $match: { id_project: { $in: projects } } },
    { $sort: { id_project: -1, position: -1 } },
    { $group: { _id: '$id_project', last: { $first: '$position' } } },
  ]);
  return new Map(ends.map(({ _id, last }) => [_id, last]));
};

const logEnd = (ends: Map<string, string>, project: string) => {
  const [last, gap] = [ends.get(project) ?? '', ends.get(GAP_PROJECT) ?? ''];
  return { last: last > gap ? last : gap, gap };
};

const poll = async (): Promise<void> => {
  const ends = await logEnds([...feeds.keys(), GAP_PROJECT]);
  for (const [project, feed] of feeds) if (feed.hasUnread || logEnd(ends, project).last > feed.last) feed.read();
};

/** Polls unless the previous poll is still running; logs failures. */
const pollOrWarn = async (): Promise<void> => {
  if (isPolling) return;
  isPolling = true;
  try {
    await poll();
  } catch (error) {
    logger.warn({ err: (error as Error).message }, 'polling the changes log for streams failed');
  } finally {
    isPolling = false;
  }
};

/** Ignores a failure of Redis, because polling finds the changes. */
const ignoreFailure = () => undefined;

const createSubscriber = (): RedisClient => {
  const redis = blockingRedis({ connectionName: 'change-feeds' });
  redis.on('message', (channel: string) => feeds.get(channel.slice(wakeUpChannel('').length))?.read());
  return redis;
};

const openFeed = (project: string): FeedBuffer => {
  const feed = new FeedBuffer(project);
  feeds.set(project, feed);
  subscriber ??= createSubscriber();
  subscriber.subscribe(wakeUpChannel(project)).then(() => feed.read(), ignoreFailure);
  pollTimer ??= setInterval(pollOrWarn, POLL_INTERVAL_MS);
  return feed;
};

const closeFeed = (feed: FeedBuffer): void => {
  feed.close();
  if (feeds.get(feed.project) !== feed) return;
  feeds.delete(feed.project);
  subscriber?.unsubscribe(wakeUpChannel(feed.project)).catch(ignoreFailure);
  if (feeds.size) return;
  clearInterval(pollTimer);
  pollTimer = undefined;
};

/** Returns the feed of a project and starts it if necessary. Every call must be paired with `leaveFeed`. */
export const joinFeed = async (project: string): Promise<FeedBuffer> => {
  const feed = feeds.get(project) ?? openFeed(project);
  feed.readers += 1;
  try {
    await feed.ensureStarted(async () => logEnd(await logEnds([project, GAP_PROJECT]), project));
    return feed;
  } catch (error) {
    leaveFeed(feed);
    throw error;
  }
};

/** Leaves a feed; the last reader closes it. */
export const leaveFeed = (feed: FeedBuffer): void => {
  feed.readers -= 1;
  if (!feed.readers) closeFeed(feed);
};

/** Closes all feeds and disconnects from Redis. Must be called when the process stops. */
export const closeAllFeeds = (): void => {
  for (const feed of [...feeds.values()]) closeFeed(feed);
  subscriber?.disconnect();
  subscriber = undefined;
};
