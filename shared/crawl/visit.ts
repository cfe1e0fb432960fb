import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type Fetch, FetchError, type Fetched, fetchGuarded, webAddress } from '#shared/fetch.ts';
import { checkHead } from './answers.ts';
import { createPoliteness, type PauseReason, type PolitenessLimits } from './politeness.ts';
import { createRobots } from './robots.ts';
import { until } from './until.ts';

/** A page as it is now, or word that it did not change since the validators that were given. */
export type Visited =
  | { notModified: true }
  | { notModified: false; body: Uint8Array; contentType: string; url: string; etag?: string; lastModified?: string };

/** Validators of the copy at hand, and how long to wait for a turn at a busy host. */
export type VisitOptions = {
  etag?: string;
  lastModified?: string;
  signal?: AbortSignal;
  /** Milliseconds; then HOST_BUSY or HOST_PAUSED, which is no failure of the page: put it back for `retryAfterMs`. */
  waitMs?: number;
};

/** Reads one page as a polite crawler; throws `FetchError`, whose `transient` says whether to try again. */
export type Visit = (url: string, options?: VisitOptions) => Promise<Visited>;

const WAIT = 1_000;
/** Milliseconds that a host pauses where it does not say for how long. */
const PAUSE = 30_000;
const ACCEPT = 'text/html,application/xhtml+xml,text/*;q=0.9,application/xml;q=0.8,*/*;q=0.1';

const disallowed = () =>
  new FetchError('ROBOTS_DISALLOWED', "The site's robots.txt keeps crawlers off this page.", {
    hint: 'Allow the crawler in robots.txt, or add the text by hand.',
  });

const busy = (host: string, retryAfterMs: number) =>
  new FetchError('HOST_BUSY', `${host} is asked as often as it should be.`, {
    hint: 'The page has its turn later.',
    transient: true,
    retryAfterMs,
  });

const PAUSES: Record<PauseReason, string> = {
  HTTP_429: 'it answered 429',
  HTTP_503: 'three of its pages answered 503 within a minute',
};

const paused = (host: string, reason: PauseReason, retryAfterMs: number) =>
  new FetchError('HOST_PAUSED', `No page of ${host} is fetched for a while: ${PAUSES[reason]}.`, {
    hint: 'Nothing is wrong with this page; it has its turn after the pause.',
    transient: true,
    retryAfterMs,
  });

const validators = ({ etag, lastModified }: VisitOptions) => ({
  ...(etag ? { 'if-none-match': etag } : {}),
  ...(lastModified ? { 'if-modified-since': lastModified } : {}),
});

const asVisited = ({ status, headers, body, url }: Fetched): Visited => {
  if (status === 304) return { notModified: true };
  const { etag, 'last-modified': lastModified, 'content-type': contentType = '' } = headers;
  return { notModified: false, body, contentType, url, ...(etag && { etag }), ...(lastModified && { lastModified }) };
};

const jittered = (ms: number) => ms * (1 + Math.random() / 2);

/** Pauses the host after an error that asks for it: a 429 is about the whole host; a 503 about its page, until several pages of the host say the same. */
const pauseIfAsked = async (politeness: ReturnType<typeof createPoliteness>, error: unknown, url: string) => {
  if (!(error instanceof FetchError)) return;
  const { code, retryAfterMs = PAUSE } = error;
  const { host, href } = webAddress(url);
  if (code === 'HTTP_429') await politeness.pause(host, retryAfterMs, code);
  if (code === 'HTTP_503' && (await politeness.trouble(host, href))) await politeness.pause(host, retryAfterMs, code);
};

/** A visitor on a Redis: robots.txt, turns at hosts and conditional requests, on every hop of a redirect. */
export const createVisit = (redis: Redis, more: { fetch?: Fetch; limits?: PolitenessLimits } = {}): Visit => {
  const fetch = more.fetch ?? fetchGuarded;
  const robots = createRobots(redis, fetch);
  const politeness = createPoliteness(redis, more.limits);

  const turnAt = async (host: string, delayMs: number | undefined, { waitMs = WAIT, signal }: VisitOptions) => {
    const end = Date.now() + waitMs;
    for (;;) {
      const turn = await politeness.acquire(host, { delayMs });
      if (turn.granted) return turn.release;
      if (Date.now() + turn.retryInMs > end)
        throw turn.paused ? paused(host, turn.paused, turn.retryInMs) : busy(host, turn.retryInMs);
      await sleep(jittered(turn.retryInMs), undefined, { signal });
    }
  };

  /** The hosts one visit is at, by a redirect more than one; each holds one slot until the end. */
  const stay = (options: VisitOptions) => {
    const held = new Map<string, () => Promise<void>>();
    return {
      enter: async (address: string, signal = options.signal) => {
        const { href, host } = webAddress(address);
        const rules = await until(robots(href), signal);
        if (!rules.allows(href)) throw disallowed();
        if (!held.has(host)) held.set(host, await turnAt(host, rules.delayMs, { ...options, signal }));
      },
      leave: () => Promise.allSettled([...held.values()].map((release) => release())),
    };
  };

  return async (url, options = {}) => {
    const { enter, leave } = stay(options);
    const headers = validators(options);
    let at = url;
    try {
      await enter(url);
      const fetched = await fetch(url, {
        accept: ACCEPT,
        headers,
        signal: options.signal,
        onRedirect: async (next, signal) => {
          await enter(next, signal);
          at = next;
        },
        onHead: (head) => checkHead(head, Object.keys(headers).length > 0),
      });
      return asVisited(fetched);
    } catch (error) {
      await pauseIfAsked(politeness, error, at);
      throw error;
    } finally {
      await leave();
    }
  };
};
