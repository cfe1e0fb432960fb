/**
 * Bytes that each project adds on a day (UTC), over all processes: messages, custom events and the changes log. Each process counts in its
 * memory and adds its count to Redis in steps, so that no call waits for it. A process knows what Redis said last: above the budget a
 * project gets 429 until the day ends, a step later in some processes than in others. While Redis is away each process counts by itself.
 */
import { config } from './config.ts';
import { AppError } from './errors.ts';
import { logger } from './logger.ts';
import { queueRedis } from './queue.ts';

const DAY_MS = 86_400_000;
const KEPT_SECONDS = 2 * 86_400;
const FLUSH_MS = 1000;
const STEPS = 200;
const LARGEST_STEP = 4_000_000;
const MOST_ACCOUNTS = 20_000;

/** What is known of a project today. */
interface Account {
  day: number;
  /** What Redis said last. */
  total: number;
  /** What this process has counted since. */
  pending: number;
  asked: boolean;
  busy: boolean;
  warned: boolean;
}

const accounts = new Map<string, Account>();
let refusals = 0;
let timer: NodeJS.Timeout | undefined;

const today = (): number => Math.floor(Date.now() / DAY_MS);

const stepOf = (limit: number): number => Math.min(LARGEST_STEP, Math.ceil(limit / STEPS));

const isIdle = ({ day, pending, busy }: Account): boolean => day !== today() || (!pending && !busy);

const makeRoom = (): void => {
  if (accounts.size < MOST_ACCOUNTS) return;
  for (const [project, account] of accounts) if (isIdle(account)) accounts.delete(project);
};

const accountOf = (project: string): Account => {
  const known = accounts.get(project);
  if (known?.day === today()) return known;
  makeRoom();
  const account = { day: today(), total: 0, pending: 0, asked: false, busy: false, warned: false };
  accounts.set(project, account);
  return account;
};

const addInRedis = async (key: string, bytes: number): Promise<number> => {
  const replies = await queueRedis.multi().incrby(key, bytes).expire(key, KEPT_SECONDS).exec();
  const [error, total] = replies?.[0] ?? [new Error('no answer')];
  if (error) throw error;
  return Number(total);
};

/** Tell Redis of what was counted, and learn what all processes have. */
const flush = async (project: string, account: Account): Promise<void> => {
  if (account.busy || queueRedis.status !== 'ready') return;
  account.busy = true;
  account.asked = true;
  const sent = account.pending;
  try {
    account.total = await addInRedis(`${config.QUEUE_PREFIX}:bytes:${account.day}:${project}`, sent);
    account.pending -= sent;
  } catch {
    account.asked = false; // Redis is away, which its connection logs; the next flush sends it
  } finally {
    account.busy = false;
  }
};

const flushAll = (): void => {
  timer = undefined;
  for (const [project, account] of accounts) {
    if (account.day !== today()) accounts.delete(project);
    else if (account.pending) void flush(project, account);
  }
  if ([...accounts.values()].some(({ pending }) => pending)) later();
};

const later = (): void => {
  timer ??= setTimeout(flushAll, FLUSH_MS).unref();
};

/** Count bytes that a project has added, whatever is left of its budget. */
export const addBytes = (project: string, bytes: number): void => {
  const limit = config.PROJECT_BYTES_PER_DAY;
  if (!limit) return;
  const account = accountOf(project);
  account.pending += bytes;
  if (!account.asked || account.pending >= stepOf(limit)) void flush(project, account);
  later();
};

const spent = (): AppError => {
  const wait = Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
  const text = `The project has added ${config.PROJECT_BYTES_PER_DAY} bytes today, the most of a day; try again in ${wait} s`;
  return new AppError(429, 'BYTES_SPENT', text).with({
    body: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  });
};

/** Count bytes that a project is about to add; 429 where its budget of the day does not hold them. */
export const spendBytes = (project: string, bytes: number): void => {
  const limit = config.PROJECT_BYTES_PER_DAY;
  if (!limit) return;
  const account = accountOf(project);
  if (account.total + account.pending + bytes <= limit) return addBytes(project, bytes);
  refusals += 1;
  if (!account.warned) logger.warn({ id_project: project, limit }, 'the bytes of a project are spent for today');
  account.warned = true;
  throw spent();
};

/** The projects with most bytes today, as this process knows them, and how many calls it refused. */
export const bytesToday = (most: number): { largest: [project: string, bytes: number][]; refusals: number } => {
  const known = [...accounts].filter(([, { day }]) => day === today());
  const sums = known.map(([project, { total, pending }]): [string, number] => [project, total + pending]);
  return { largest: sums.toSorted(([, one], [, other]) => other - one).slice(0, most), refusals };
};
