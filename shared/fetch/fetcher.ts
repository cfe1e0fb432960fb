import { lookup as systemLookup } from 'node:dns';
import type { Writable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { config } from '#shared/config.ts';
import { readBody } from './body.ts';
import { guardedConnector, type Resolve } from './connector.ts';
import { refuseCrumbs } from './crumbs.ts';
import { decoderOf } from './decoders.ts';
import { badUrl, connectionFailed, FetchError, timedOut, tooLarge, tooManyRedirects } from './errors.ts';
import { ownPorts } from './own-ports.ts';
import { parseRules, type RuleSource } from './rules.ts';

/** What is known of an answer before its body is read. */
export type Head = { url: string; status: number; headers: Record<string, string> };

/** An answer: `url` is the last address, `redirects` the ones it was sent on to, `body` decoded. */
export type Fetched = Head & { body: Uint8Array; redirects: string[] };

/** Limits and hooks of one fetch; what a hook throws ends the fetch with that error. */
export type FetchOptions = {
  headers?: Record<string, string>;
  /** What is sent, as JSON by POST; then no redirect is followed. */
  json?: string;
  /** The `accept` header. */
  accept?: string;
  /** Bytes, on the wire and decoded. */
  maxBytes?: number;
  /** Milliseconds for everything: redirects, name look-up, headers, body. */
  timeoutMs?: number;
  maxRedirects?: number;
  signal?: AbortSignal;
  /** Keep the first `maxBytes` of a larger body instead of refusing it. */
  cut?: boolean;
  /** Makes what takes the body in place of memory; asked only when there is one, and ended with it. */
  into?: () => Writable;
  /** Asked before each redirect is followed. */
  onRedirect?: (url: string, signal: AbortSignal) => Promise<void>;
  /** Sees status and headers, so that a body nobody wants is never read. */
  onHead?: (head: Head) => void;
};

/** Fetches one page for the crawler; see `fetchGuarded`. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Fetched>;

/** What a fetcher may reach; by default what the settings say. */
export type Guard = Partial<RuleSource> & { lookup?: Resolve };

type Walk = Required<Pick<FetchOptions, 'maxBytes' | 'maxRedirects'>> &
  FetchOptions & { dispatcher: Dispatcher; signal: AbortSignal };

const MAX_URL_LENGTH = 2_048;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERSONAL = /^(authorization|cookie|proxy-authorization)$/i;

/** The address to ask, without its fragment; throws BAD_URL on what is no plain web address. */
export const webAddress = (text: string, base?: string) => {
  const url = URL.parse(text, base);
  if (!url) throw badUrl('This is not a web address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badUrl(`${url.protocol} addresses are not fetched.`);
  if (url.username || url.password) throw badUrl('The address carries a user name or password.');
  if (url.href.length > MAX_URL_LENGTH) throw badUrl(`The address is longer than ${MAX_URL_LENGTH} characters.`);
  url.hash = '';
  return url;
};

const flat = (headers: Dispatcher.ResponseData['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const headersFor = (url: URL, first: URL, { headers = {}, accept = '*/*', json }: FetchOptions) => ({
  'user-agent': config.FETCH_USER_AGENT,
  'accept-encoding': 'gzip, deflate, br',
  accept,
  ...(json !== undefined && { 'content-type': 'application/json' }),
  ...(url.origin === first.origin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !PERSONAL.test(name)))),
});

/** Errors of the client become ours here; those of hooks must not, so only the client's own calls are wrapped. */
const asked = async <T>(work: Promise<T>, url: URL, signal: AbortSignal) => {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailed(error, url.host);
  }
};

const discard = ({ body }: Dispatcher.ResponseData) => body.on('error', () => undefined).destroy();

const readAnswer = async (response: Dispatcher.ResponseData, url: URL, walk: Walk) => {
  const head = { url: url.href, status: response.statusCode, headers: flat(response.headers) };
  const { maxBytes, cut = false, signal } = walk;
  try {
    walk.onHead?.(head);
    const make = decoderOf(head.headers['content-encoding']);
    if (!cut && Number(head.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
    return {
      ...head,
      body: await asked(readBody(response.body, { make, cap: { maxBytes, cut }, into: walk.into }), url, signal),
    };
  } catch (error) {
    discard(response);
    throw error;
  }
};

const nextHop = (location: string, passed: URL[], maxRedirects: number) => {
  const next = webAddress(location, passed.at(-1)?.href);
  if (passed.some(({ href }) => href === next.href)) throw tooManyRedirects('The redirects lead in a circle.');
  if (passed.length > maxRedirects) throw tooManyRedirects(`There are more than ${maxRedirects} redirects.`);
  return next;
};

/** Bytes held of a body whose reader pauses: few, since they may come one by one. */
const BYTES_AHEAD = 16_384;

const follow = async (start: string, walk: Walk): Promise<Fetched> => {
  const passed = [webAddress(start)];
  for (;;) {
    const url = passed.at(-1) as URL;
    const headers = headersFor(url, passed[0] as URL, walk);
    const { dispatcher, signal, json } = walk;
    const sent = json === undefined ? {} : ({ method: 'POST', body: json } as const);
    const response = await asked(
      request(url, { ...sent, dispatcher, signal, headers, highWaterMark: BYTES_AHEAD }),
      url,
      signal,
    );
    const { location } = flat(response.headers);
    if (!REDIRECTS.has(response.statusCode) || !location) {
      const redirects = passed.slice(1).map(({ href }) => href);
      return { ...(await readAnswer(response, url, walk)), redirects };
    }
    discard(response);
    const next = nextHop(location, passed, walk.maxRedirects);
    await walk.onRedirect?.(next.href, signal);
    passed.push(next);
  }
};

/** A fetch with connections and rules of its own; the guard stands at the socket, so every hop passes it. */
export const createFetcher = ({ lookup = systemLookup, ...source }: Guard = {}): Fetch => {
  const rules = parseRules({ allow: config.FETCH_ALLOW, ownPorts: ownPorts(), ...source });
  const dispatcher = new Agent({ connect: guardedConnector(rules, lookup), allowH2: false }).compose(refuseCrumbs);
  return async (url, options = {}) => {
    const { maxBytes = config.FETCH_MAX_BYTES, json } = options;
    const { maxRedirects = json === undefined ? config.FETCH_MAX_REDIRECTS : 0 } = options;
    const { timeoutMs = config.FETCH_TIMEOUT * 1000 } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
    try {
      return await follow(url, { ...options, maxBytes, maxRedirects, dispatcher, signal });
    } catch (error) {
      if (error instanceof FetchError) throw error;
      options.signal?.throwIfAborted();
      throw deadline.aborted ? timedOut(timeoutMs) : error;
    }
  };
};
