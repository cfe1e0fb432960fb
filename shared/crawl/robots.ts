/** Reads and caches robots.txt. */
import { config } from '#shared/config.ts';
import { TtlCache } from '../concurrency/ttl-cache.ts';
import { type Fetch, FetchError, fetchGuarded } from '../fetch/guarded-fetch.ts';
import type { RedisClient } from '../queue/redis.ts';
import { extractRules, parseRobotsRules, type RobotsRules } from './robots-rules.ts';

/** Returns the rules of a URL's origin; throws `FetchError` while robots.txt cannot be read (RFC 9309). */
export type GetRobotsRules = (url: string) => Promise<RobotsRules>;

type RobotsFailure = { code: string; message: string; hint: string; transient: boolean };
type RobotsResult = { text: string } | { failure: RobotsFailure };
type CachedRobots = { result: Promise<RobotsResult>; rules?: RobotsRules };

const MAX_ROBOTS_BYTES = 500 * 1024;
const REDIS_TTL_SECONDS = { text: 3_600, failure: 30 };
const LOCAL_TTL_MS = 60_000;
const MAX_CACHED_ORIGINS = 200;

const unreachableResult = (status: number): RobotsResult => ({
  failure: {
    code: 'ROBOTS_UNREACHABLE',
    message: `The site returned ${status} for robots.txt, so no page of the site is fetched.`,
    hint: 'Configure the server to return 200 or 404 for robots.txt; the fetch will be retried.',
    transient: true,
  },
});

/** With these errors, robots.txt is treated as empty. With any other error, no page of the site is fetched. */
const UNREADABLE_CODES = new Set(['TOO_LARGE', 'TOO_MANY_REDIRECTS', 'BAD_ENCODING']);

const fetchRobots = async (origin: string, fetch: Fetch): Promise<RobotsResult> => {
  try {
    const headers = { 'accept-encoding': 'identity' };
    const { status, body } = await fetch(`${origin}/robots.txt`, {
      headers,
      maxBytes: MAX_ROBOTS_BYTES,
      truncate: true,
    });
    if (status >= 500 || status === 429) return unreachableResult(status);
    return { text: status >= 200 && status < 300 ? extractRules(new TextDecoder().decode(body)) : '' };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { code, message, hint, transient } = error;
    return UNREADABLE_CODES.has(code) ? { text: '' } : { failure: { code, message, hint, transient } };
  }
};

/**
 * Returns a reader of robots.txt. All workers share results through Redis: rules for an hour, failures for half a
 * minute. Concurrent calls for one origin share a request within this process; several processes may each make one.
 */
export const createRobotsReader = (redis: RedisClient, fetch: Fetch = fetchGuarded): GetRobotsRules => {
  const cache = new TtlCache<CachedRobots>({ ttlMs: LOCAL_TTL_MS, max: MAX_CACHED_ORIGINS });

  const loadRobots = async (origin: string): Promise<RobotsResult> => {
    const key = `${config.QUEUE_PREFIX}:robots:${origin}`;
    const stored = await redis.get(key);
    if (stored) return JSON.parse(stored) as RobotsResult;
    const fetched = await fetchRobots(origin, fetch);
    await redis.set(
      key,
      JSON.stringify(fetched),
      'EX',
      'text' in fetched ? REDIS_TTL_SECONDS.text : REDIS_TTL_SECONDS.failure,
    );
    return fetched;
  };

  const cacheRobots = (origin: string): CachedRobots => {
    const result = loadRobots(origin);
    const entry: CachedRobots = { result };
    cache.set(origin, entry);
    result.then(
      (robots) => 'failure' in robots && cache.delete(origin),
      () => cache.delete(origin),
    );
    return entry;
  };

  return async (url) => {
    const { origin } = new URL(url);
    const entry = cache.get(origin) ?? cacheRobots(origin);
    const robots = await entry.result;
    if ('failure' in robots) throw new FetchError(robots.failure.code, robots.failure.message, robots.failure);
    entry.rules ??= parseRobotsRules(origin, robots.text);
    return entry.rules;
  };
};
