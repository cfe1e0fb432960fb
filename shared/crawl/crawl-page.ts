/** Fetches pages as a polite crawler: robots.txt, rate limits per host, conditional requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { abortable } from '../concurrency/abortable.ts';
import { config } from '../config.ts';
import { type Fetch, FetchError, type FetchResponse, fetchGuarded, parseWebAddress } from '../fetch/guarded-fetch.ts';
import type { RedisClient } from '../queue/redis.ts';
import { createHostRateLimiter, type HostLimits, type PauseReason } from './host-rate-limiter.ts';
import { checkResponseHead } from './response-checks.ts';
import { createRobotsReader } from './robots.ts';

/** A fetched page, or `notModified` if it still matches the given validators. */
export type CrawlResult =
  | { notModified: true }
  | { notModified: false; body: Uint8Array; contentType: string; url: string; etag?: string; lastModified?: string };

/** The validators of the stored copy, and how long to wait for a busy host. */
export type CrawlOptions = {
  etag?: string;
  lastModified?: string;
  signal?: AbortSignal;
  /** Accepts files of any media type, up to KB_FILE_MAX_BYTES, and not only text pages. */
  acceptFiles?: boolean;
  /**
   * How long to wait for a slot of the host before HOST_BUSY or HOST_PAUSED is thrown. Neither error means that the
   * page has failed; fetch it again after `retryAfterMs`.
   */
  maxWaitMs?: number;
};

/** Fetches one page. Throws `FetchError`, whose `transient` is true if a retry may succeed. */
export type CrawlPage = (url: string, options?: CrawlOptions) => Promise<CrawlResult>;

const DEFAULT_MAX_WAIT_MS = 1_000;
/** How long a host is paused if its response has no `Retry-After`. */
const DEFAULT_PAUSE_MS = 30_000;
const ACCEPTED_TYPES = 'text/html,application/xhtml+xml,text/*;q=0.9,application/xml;q=0.8,*/*;q=0.1';

const disallowedError = () =>
  new FetchError('ROBOTS_DISALLOWED', "The site's robots.txt disallows this page.", {
    hint: 'Allow the crawler in robots.txt, or add the text by hand.',
  });

const hostBusyError = (host: string, retryAfterMs: number) =>
  new FetchError('HOST_BUSY', `All connections to ${host} are in use, or the last request to it was too recent.`, {
    hint: 'The page will be fetched later.',
    transient: true,
    retryAfterMs,
  });

const PAUSE_TEXTS: Record<PauseReason, string> = {
  HTTP_429: 'it returned 429',
  HTTP_503: 'three of its pages returned 503 within a minute',
};

const hostPausedError = (host: string, reason: PauseReason, retryAfterMs: number) =>
  new FetchError('HOST_PAUSED', `Fetching from ${host} is paused: ${PAUSE_TEXTS[reason]}.`, {
    hint: 'The page will be fetched after the pause.',
    transient: true,
    retryAfterMs,
  });

const conditionalHeaders = ({ etag, lastModified }: CrawlOptions) => ({
  ...(etag ? { 'if-none-match': etag } : {}),
  ...(lastModified ? { 'if-modified-since': lastModified } : {}),
});

/** The accepted size and types of the body. */
const acceptedBody = ({ acceptFiles }: CrawlOptions) =>
  acceptFiles ? { maxBytes: config.KB_FILE_MAX_BYTES } : { accept: ACCEPTED_TYPES };

const responseRules = ({ etag, lastModified, acceptFiles }: CrawlOptions) => ({
  isConditional: Boolean(etag || lastModified),
  acceptsFiles: acceptFiles ?? false,
});

const toCrawlResult = ({ status, headers, body, url }: FetchResponse): CrawlResult => {
  if (status === 304) return { notModified: true };
  const { etag, 'last-modified': lastModified, 'content-type': contentType = '' } = headers;
  return { notModified: false, body, contentType, url, ...(etag && { etag }), ...(lastModified && { lastModified }) };
};

const withJitter = (ms: number) => ms * (1 + Math.random() / 2);

/**
 * Pauses the host after a 429, or when three of its pages have returned 503 within a minute. With fewer 503s, only
 * the attempts to fetch these pages fail, and the host is not paused.
 */
const pauseHostIfNeeded = async (
  hostLimiter: ReturnType<typeof createHostRateLimiter>,
  error: unknown,
  url: string,
) => {
  if (!(error instanceof FetchError)) return;
  const { code, retryAfterMs = DEFAULT_PAUSE_MS } = error;
  const { host, href } = parseWebAddress(url);
  if (code === 'HTTP_429') await hostLimiter.pause(host, retryAfterMs, code);
  if (code === 'HTTP_503' && (await hostLimiter.countUnavailable(host, href)))
    await hostLimiter.pause(host, retryAfterMs, code);
};

/** The parts of a crawler that tests replace. */
interface CrawlerParts {
  fetch?: Fetch;
  limits?: HostLimits;
}

/**
 * Returns a crawler that shares its state with all workers through Redis. It checks robots.txt for the first URL and
 * for every redirect, and takes a slot of each host.
 */
export const createCrawler = (redis: RedisClient, overrides: CrawlerParts = {}): CrawlPage => {
  const fetch = overrides.fetch ?? fetchGuarded;
  const robots = createRobotsReader(redis, fetch);
  const hostLimiter = createHostRateLimiter(redis, overrides.limits);

  const acquirePermit = async (
    host: string,
    delayMs: number | undefined,
    { maxWaitMs = DEFAULT_MAX_WAIT_MS, signal }: CrawlOptions,
  ) => {
    for (const end = performance.now() + maxWaitMs; ; ) {
      const permit = await hostLimiter.acquire(host, { delayMs });
      if (permit.granted) return permit.release;
      if (performance.now() + permit.retryInMs > end)
        throw permit.pauseReason
          ? hostPausedError(host, permit.pauseReason, permit.retryInMs)
          : hostBusyError(host, permit.retryInMs);
      await sleep(withJitter(permit.retryInMs), undefined, { signal });
    }
  };

  /** Tracks the hosts of one fetch: one, or several after redirects. Holds a slot of each until the fetch ends. */
  const trackHosts = (options: CrawlOptions) => {
    const releases = new Map<string, () => Promise<void>>();
    return {
      enterHost: async (address: string, signal = options.signal) => {
        const { href, host } = parseWebAddress(address);
        const rules = await abortable(robots(href), signal);
        if (!rules.allows(href)) throw disallowedError();
        if (!releases.has(host)) releases.set(host, await acquirePermit(host, rules.delayMs, { ...options, signal }));
      },
      releaseHosts: () => Promise.allSettled([...releases.values()].map((release) => release())),
    };
  };

  return async (url, options = {}) => {
    const { enterHost, releaseHosts } = trackHosts(options);
    const headers = conditionalHeaders(options);
    let currentUrl = url;
    try {
      await enterHost(url);
      const fetched = await fetch(url, {
        ...acceptedBody(options),
        headers,
        signal: options.signal,
        onRedirect: async (next, signal) => {
          await enterHost(next, signal);
          currentUrl = next;
        },
        onHead: (head) => checkResponseHead(head, responseRules(options)),
      });
      return toCrawlResult(fetched);
    } catch (error) {
      await pauseHostIfNeeded(hostLimiter, error, currentUrl);
      throw error;
    } finally {
      await releaseHosts();
    }
  };
};
