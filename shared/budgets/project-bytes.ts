/**
 * Daily byte budget (UTC) of each project for messages, custom events and the changes log. Each process counts in
 * memory and adds its count to Redis every second, or sooner once it has counted a *step*: 1/200 of the budget, at most
 * 4 MB. No request waits for Redis. A process compares the last total from Redis plus its own count with the budget, so
 * each process may exceed it by one step. While Redis is unavailable, each process counts only its own bytes.
 */
import { config } from '../config.ts';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';
import { queueRedis } from '../queue/queue.ts';
import { currentTimeMs } from '../time/clock.ts';

const DAY_MS = 86_400_000;
const COUNTER_TTL_SECONDS = 2 * 86_400;
const FLUSH_INTERVAL_MS = 1000;
const STEPS_PER_LIMIT = 200;
const MAX_STEP_BYTES = 4_000_000;
const MAX_PROJECTS = 20_000;

/** A project's usage today, as far as this process has read and counted it. */
interface ProjectUsage {
  day: number;
  /** The last total from Redis, across all processes. */
  total: number;
  /** Bytes counted by this process that `total` does not include yet. */
  pending: number;
  isSynchronized: boolean;
  isFlushing: boolean;
  hasWarned: boolean;
}

const usageByProject = new Map<string, ProjectUsage>();
let rejections = 0;
let timer: NodeJS.Timeout | undefined;

const today = (): number => Math.floor(currentTimeMs() / DAY_MS);

const flushThreshold = (limit: number): number => Math.min(MAX_STEP_BYTES, Math.ceil(limit / STEPS_PER_LIMIT));

const isIdle = ({ day, pending, isFlushing }: ProjectUsage): boolean => day !== today() || (!pending && !isFlushing);

const evictIdle = (): void => {
  if (usageByProject.size < MAX_PROJECTS) return;
  for (const [project, usage] of usageByProject) if (isIdle(usage)) usageByProject.delete(project);
};

const usageOf = (project: string): ProjectUsage => {
  const current = usageByProject.get(project);
  if (current?.day === today()) return current;
  evictIdle();
  const usage = { day: today(), total: 0, pending: 0, isSynchronized: false, isFlushing: false, hasWarned: false };
  usageByProject.set(project, usage);
  return usage;
};

const addInRedis = async (key: string, bytes: number): Promise<number> => {
  const replies = await queueRedis.multi().incrby(key, bytes).expire(key, COUNTER_TTL_SECONDS).exec();
  const [error, total] = replies?.[0] ?? [new Error('no answer')];
  if (error) throw error;
  return Number(total);
};

/** Adds the pending bytes to the total in Redis, and stores the new total. */
const flush = async (project: string, usage: ProjectUsage): Promise<void> => {
  if (usage.isFlushing || queueRedis.status !== 'ready') return;
  usage.isFlushing = true;
  usage.isSynchronized = true;
  const flushedBytes = usage.pending;
  try {
    usage.total = await addInRedis(`${config.QUEUE_PREFIX}:bytes:${usage.day}:${project}`, flushedBytes);
    usage.pending -= flushedBytes;
  } catch {
    usage.isSynchronized = false; // the Redis connection logs the failure; the next flush sends the bytes
  } finally {
    usage.isFlushing = false;
  }
};

const flushAll = (): void => {
  timer = undefined;
  for (const [project, usage] of usageByProject) {
    if (usage.day !== today()) usageByProject.delete(project);
    else if (usage.pending) void flush(project, usage);
  }
  if ([...usageByProject.values()].some(({ pending }) => pending)) scheduleFlush();
};

const scheduleFlush = (): void => {
  timer ??= setTimeout(flushAll, FLUSH_INTERVAL_MS).unref();
};

/** Counts bytes that a project has added, without checking the budget. A negative number takes counted bytes back. */
export const addBytes = (project: string, bytes: number): void => {
  const limit = config.PROJECT_BYTES_PER_DAY;
  if (!limit) return;
  const usage = usageOf(project);
  usage.pending += bytes;
  if (!usage.isSynchronized || usage.pending >= flushThreshold(limit)) void flush(project, usage);
  scheduleFlush();
};

const budgetExhausted = (): AppError => {
  const waitSeconds = Math.ceil((DAY_MS - (currentTimeMs() % DAY_MS)) / 1000);
  const message = `The project has used up its budget of ${config.PROJECT_BYTES_PER_DAY} bytes per day (UTC); try again in ${waitSeconds} s`;
  return new AppError(429, 'BYTE_BUDGET_EXHAUSTED', message).retryAfter(waitSeconds);
};

/** Counts bytes that a project is about to add. Throws 429 if they would exceed its daily budget. */
export const consumeBytes = (project: string, bytes: number): void => {
  const limit = config.PROJECT_BYTES_PER_DAY;
  if (!limit) return;
  const usage = usageOf(project);
  if (usage.total + usage.pending + bytes <= limit) return addBytes(project, bytes);
  rejections += 1;
  if (!usage.hasWarned) logger.warn({ id_project: project, limit }, 'project has used up its daily byte budget');
  usage.hasWarned = true;
  throw budgetExhausted();
};

/**
 * Returns the `max` projects with the most bytes today, as far as this process has read and counted them, and the
 * number of calls that this process has rejected since it started.
 */
export const bytesToday = (max: number): { largest: [project: string, bytes: number][]; rejections: number } => {
  const current = [...usageByProject].filter(([, { day }]) => day === today());
  const sums = current.map(([project, { total, pending }]): [string, number] => [project, total + pending]);
  return { largest: sums.toSorted(([, one], [, other]) => other - one).slice(0, max), rejections };
};
