import type { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { type Fetch, FetchError, fetchGuarded } from '#shared/fetch.ts';
import { digest, type RobotsRules, readRules } from './robots-rules.ts';

/** Answers the rules of a URL's origin, or throws `FetchError` while the site cannot say (RFC 9309). */
export type Robots = (url: string) => Promise<RobotsRules>;

type Failure = { code: string; message: string; hint: string; transient: boolean };
type Known = { text: string } | { failure: Failure };
type Remembered = { known: Promise<Known>; rules?: RobotsRules; expires: number };

const MAX_BYTES = 500 * 1024;
const TTL = { text: 3_600, failure: 30 };
const LOCAL_TTL = 60_000;
const MAX_ORIGINS = 200;

const unreachable = (status: number): Known => ({
  failure: {
    code: 'ROBOTS_UNREACHABLE',
    message: `The site's robots.txt answers ${status}, so nothing of the site is fetched.`,
    hint: 'Let robots.txt answer 200 or 404; it is tried again.',
    transient: true,
  },
});

/** A file that is there but not to be read counts as none; a site that cannot be reached keeps its own reason. */
const UNREADABLE = new Set(['TOO_LARGE', 'TOO_MANY_REDIRECTS', 'BAD_ENCODING']);

const ask = async (origin: string, fetch: Fetch): Promise<Known> => {
  try {
    const headers = { 'accept-encoding': 'identity' };
    const { status, body } = await fetch(`${origin}/robots.txt`, { headers, maxBytes: MAX_BYTES, cut: true });
    if (status >= 500 || status === 429) return unreachable(status);
    return { text: status >= 200 && status < 300 ? digest(new TextDecoder().decode(body)) : '' };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { code, message, hint, transient } = error;
    return UNREADABLE.has(code) ? { text: '' } : { failure: { code, message, hint, transient } };
  }
};

/** The rules every worker shares: kept in Redis for an hour (a failure for half a minute), one request at a time here. */
export const createRobots = (redis: Redis, fetch: Fetch = fetchGuarded): Robots => {
  const remembered = new Map<string, Remembered>();

  const learn = async (origin: string): Promise<Known> => {
    const key = `${config.QUEUE_PREFIX}:robots:${origin}`;
    const kept = await redis.get(key);
    if (kept) return JSON.parse(kept) as Known;
    const known = await ask(origin, fetch);
    await redis.set(key, JSON.stringify(known), 'EX', 'text' in known ? TTL.text : TTL.failure);
    return known;
  };

  const remember = (origin: string) => {
    const known = learn(origin);
    remembered.delete(origin);
    remembered.set(origin, { known, expires: Date.now() + LOCAL_TTL });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MAX_ORIGINS) break;
      remembered.delete(oldest);
    }
    known.then(
      (result) => 'failure' in result && remembered.delete(origin),
      () => remembered.delete(origin),
    );
    return remembered.get(origin) as Remembered;
  };

  return async (url) => {
    const { origin } = new URL(url);
    const local = remembered.get(origin);
    const entry = local && local.expires > Date.now() ? local : remember(origin);
    const known = await entry.known;
    if ('failure' in known) throw new FetchError(known.failure.code, known.failure.message, known.failure);
    entry.rules ??= readRules(origin, known.text);
    return entry.rules;
  };
};
