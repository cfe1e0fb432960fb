/** Fetches untrusted URLs within limits on time and size, and only from permitted addresses. */
import { lookup as systemLookup } from 'node:dns';
import type * as Undici from 'undici';
import { config } from '#shared/config.ts';
import { loadPackage } from '#shared/load-package.ts';
import { type AddressRuleSource, parseAddressRules } from './address-rules.ts';
import { guardedConnector, type ResolveHost } from './connector.ts';
import { decoderOf } from './decoders.ts';
import { FetchError, invalidUrlError, redirectError, timeoutError, toFetchError, tooLargeError } from './errors.ts';
import { type BodyDestination, readBody } from './response-body.ts';
import { servicePorts } from './service-ports.ts';
import { rejectTinyChunks } from './tiny-chunk-guard.ts';

export type ResponseHead = { url: string; status: number; headers: Record<string, string> };

/**
 * A response: `url` is the final address, `redirects` are the addresses that the request was redirected to, and `body`
 * is decoded.
 */
export type FetchResponse = ResponseHead & { body: Uint8Array; redirects: string[] };

/** Options of one fetch. An error that a hook (`onRedirect`, `onHead`) throws ends the fetch. */
export type FetchOptions = BodyDestination & {
  headers?: Record<string, string>;
  /** A JSON string to send with POST; redirects are then not followed. */
  json?: string;
  /** The `accept` header. */
  accept?: string;
  /** Maximum size of the body, which applies to its encoded and to its decoded bytes. */
  maxBytes?: number;
  /** Time limit for redirects, name lookup, headers and body together. */
  timeoutMs?: number;
  maxRedirects?: number;
  signal?: AbortSignal;
  /** Called before each redirect is followed. */
  onRedirect?: (url: string, signal: AbortSignal) => Promise<void>;
  /** Called with the status and headers before the body is read. */
  onHead?: (head: ResponseHead) => void;
};

/** The type of `fetchGuarded`. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<FetchResponse>;

/** The address rules of a fetcher (default: those of the settings), and its name lookup (default: `node:dns`). */
export type FetcherOptions = Partial<AddressRuleSource> & { lookup?: ResolveHost };

type FetchContext = Required<Pick<FetchOptions, 'maxBytes' | 'maxRedirects'>> &
  FetchOptions & { dispatcher: Undici.Dispatcher; signal: AbortSignal };

/** Loaded on the first fetch, because most processes fetch nothing. */
const undici = () => loadPackage('undici') as typeof Undici;

const MAX_URL_LENGTH = 2_048;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const CREDENTIAL_HEADERS = /^(authorization|cookie|proxy-authorization)$/i;

/**
 * Parses an http or https URL and removes its fragment. Throws INVALID_URL for any other string, for a URL with a user
 * name or password, and for a URL that is too long.
 */
export const parseWebAddress = (text: string, base?: string) => {
  const url = URL.parse(text, base);
  if (!url) throw invalidUrlError('This is not a web address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidUrlError(`${url.protocol} addresses are not fetched.`);
  if (url.username || url.password) throw invalidUrlError('The address contains a user name or password.');
  if (url.href.length > MAX_URL_LENGTH)
    throw invalidUrlError(`The address is longer than ${MAX_URL_LENGTH} characters.`);
  url.hash = '';
  return url;
};

const flattenHeaders = (headers: Undici.Dispatcher.ResponseData['headers']) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );

const headersFor = (url: URL, start: URL, { headers = {}, accept = '*/*', json }: FetchOptions) => ({
  'user-agent': config.FETCH_USER_AGENT,
  'accept-encoding': 'gzip, deflate, br',
  accept,
  ...(json !== undefined && { 'content-type': 'application/json' }),
  ...(url.origin === start.origin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.test(name)))),
});

/** Converts the errors of an HTTP client call. Errors of the hooks `onHead` and `onRedirect` are not converted. */
const withFetchErrors = async <T>(work: Promise<T>, url: URL, signal: AbortSignal) => {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw toFetchError(error, url.host);
  }
};

const discardBody = ({ body }: Undici.Dispatcher.ResponseData) => body.on('error', () => undefined).destroy();

const readResponse = async (
  response: Undici.Dispatcher.ResponseData,
  { url, headers }: { url: URL; headers: Record<string, string> },
  context: FetchContext,
) => {
  const head = { url: url.href, status: response.statusCode, headers };
  const { maxBytes, signal } = context;
  try {
    context.onHead?.(head);
    const createDecoder = decoderOf(head.headers['content-encoding']);
    if (!context.truncate && Number(head.headers['content-length']) > maxBytes) throw tooLargeError(maxBytes);
    return {
      ...head,
      body: await withFetchErrors(readBody(response.body, { ...context, createDecoder }), url, signal),
    };
  } catch (error) {
    discardBody(response);
    throw error;
  }
};

const nextHop = (location: string, visitedUrls: URL[], maxRedirects: number) => {
  const next = parseWebAddress(location, visitedUrls.at(-1)?.href);
  if (maxRedirects === 0) throw redirectError('The server redirects this request, but redirects are not followed.');
  if (visitedUrls.some(({ href }) => href === next.href)) throw redirectError('The redirects form a loop.');
  if (visitedUrls.length > maxRedirects) throw redirectError(`There are more than ${maxRedirects} redirects.`);
  return next;
};

/**
 * Size of the read-ahead buffer of a paused body. It is small, because each buffered byte may be a separate piece,
 * which takes much more memory than the byte.
 */
const READ_AHEAD_BYTES = 16_384;

const followRedirects = async (start: string, context: FetchContext): Promise<FetchResponse> => {
  const visitedUrls = [parseWebAddress(start)];
  for (;;) {
    const url = visitedUrls.at(-1) as URL;
    const headers = headersFor(url, visitedUrls[0] as URL, context);
    const { dispatcher, signal, json } = context;
    const requestBody = json === undefined ? {} : ({ method: 'POST', body: json } as const);
    const response = await withFetchErrors(
      undici().request(url, { ...requestBody, dispatcher, signal, headers, highWaterMark: READ_AHEAD_BYTES }),
      url,
      signal,
    );
    const responseHeaders = flattenHeaders(response.headers);
    const { location } = responseHeaders;
    if (!REDIRECT_STATUSES.has(response.statusCode) || !location) {
      const redirects = visitedUrls.slice(1).map(({ href }) => href);
      return { ...(await readResponse(response, { url, headers: responseHeaders }, context)), redirects };
    }
    discardBody(response);
    const next = nextHop(location, visitedUrls, context.maxRedirects);
    await context.onRedirect?.(next.href, signal);
    visitedUrls.push(next);
  }
};

/**
 * Returns a fetch function with its own connections and rules. The rules apply when a socket is opened, so they cover
 * every redirect.
 */
export const createFetcher = ({ lookup = systemLookup, ...source }: FetcherOptions = {}): Fetch => {
  const rules = parseAddressRules({ allow: config.FETCH_ALLOW, servicePorts: servicePorts(), ...source });
  let dispatcher: Undici.Dispatcher | undefined;
  const createDispatcher = (): Undici.Dispatcher => {
    const { Agent, buildConnector } = undici();
    const connect = guardedConnector(buildConnector, { rules, resolve: lookup });
    return new Agent({ connect, allowH2: false }).compose(rejectTinyChunks);
  };
  return async (url, options = {}) => {
    const { maxBytes = config.FETCH_MAX_BYTES, json } = options;
    const { maxRedirects = json === undefined ? config.FETCH_MAX_REDIRECTS : 0 } = options;
    const { timeoutMs = config.FETCH_TIMEOUT_SECONDS * 1000 } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
    try {
      dispatcher ??= createDispatcher();
      return await followRedirects(url, { ...options, maxBytes, maxRedirects, dispatcher, signal });
    } catch (error) {
      if (error instanceof FetchError) throw error;
      options.signal?.throwIfAborted();
      throw deadline.aborted ? timeoutError(timeoutMs) : error;
    }
  };
};
