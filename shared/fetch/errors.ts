/** Fetch errors, with hints for the user. */
import { AppError } from '#shared/errors.ts';

/** What the user can do about a failure: change something (`hint`), or wait (`transient`). */
export type FetchErrorDetails = { hint: string; transient?: boolean; retryAfterMs?: number };

const statusOf = (code: string, transient: boolean) => {
  if (code === 'TIMEOUT') return 504;
  return transient ? 502 : 422;
};

/** A page that could not be fetched: 422 if the caller can fix it, 502 or 504 if a retry may succeed. */
export class FetchError extends AppError {
  readonly hint: string;
  readonly transient: boolean;
  /** Milliseconds to wait before the next attempt, if the site or the rate limiter requires a wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, { hint, transient = false, retryAfterMs }: FetchErrorDetails) {
    super(statusOf(code, transient), code, message);
    this.body = { hint };
    this.name = 'FetchError';
    this.hint = hint;
    this.transient = transient;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The text is not a web address, or the address is of a kind that is not fetched. */
export const invalidUrlError = (message: string) =>
  new FetchError('INVALID_URL', message, { hint: 'Use a full http:// or https:// address without a user name.' });

/**
 * A target that the rules forbid. The resolved address is not reported, so that callers cannot map a private network.
 */
export const refusedTargetError = (host: string, port: number) =>
  new FetchError('TARGET_NOT_ALLOWED', `The target ${host} on port ${port} is not a public web address.`, {
    hint: 'Only public addresses on ports 80 and 443 are fetched; an instance administrator can allow others with FETCH_ALLOW.',
  });

/** An encoded or decoded body that exceeds the limit. */
export const tooLargeError = (maxBytes: number) =>
  new FetchError('TOO_LARGE', `The page is larger than ${maxBytes} bytes.`, {
    hint: 'Split the page, or ask an instance administrator to raise FETCH_MAX_BYTES.',
  });

/** An unknown content encoding, several content encodings, or a body that cannot be decoded. */
export const encodingError = (message: string) =>
  new FetchError('BAD_ENCODING', message, { hint: 'Serve the page without an encoding, or with gzip, deflate or br.' });

/** A body in too many tiny pieces: reading it takes too much CPU time. */
export const fragmentedBodyError = () =>
  new FetchError('BODY_TOO_FRAGMENTED', 'The page is sent in thousands of pieces of a few bytes each.', {
    hint: 'Configure the server to send the page in pieces of at least one kilobyte.',
  });

/** A redirect loop, too many redirects, or a redirect where none is followed. */
export const redirectError = (message: string) =>
  new FetchError('TOO_MANY_REDIRECTS', message, { hint: 'Use the address at which the redirects should end.' });

/** The deadline for redirects, name lookup, headers and body has passed. */
export const timeoutError = (timeoutMs: number) =>
  new FetchError('TIMEOUT', `The server did not send a complete response within ${timeoutMs / 1000} s.`, {
    hint: 'Check that the server responds quickly; the fetch will be retried.',
    transient: true,
  });

const UNKNOWN_HOST_CODES = new Set(['ENOTFOUND', 'ENODATA']);

/** A name that does not exist (permanent) or could not be looked up (transient). */
export const dnsError = (host: string, code: string | undefined) =>
  UNKNOWN_HOST_CODES.has(code ?? 'ENOTFOUND')
    ? new FetchError('DNS_FAILED', `The host ${host} does not exist.`, { hint: 'Check the spelling of the host.' })
    : new FetchError('DNS_FAILED', `The host ${host} could not be looked up.`, {
        hint: 'The name server did not answer; the fetch will be retried.',
        transient: true,
      });

const TRANSIENT_CODE =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|UND_ERR_(SOCKET|CLOSED|DESTROYED)|UND_ERR_CONNECT_TIMEOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)/;
const HEADERS_OVERFLOW_CODE = 'UND_ERR_HEADERS_OVERFLOW';
const NOT_TLS_CODE = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;

/** A server that does not speak HTTP or violates the protocol. */
const notHttpError = (host: string, { code = '', name }: NodeJS.ErrnoException): FetchError | undefined => {
  if (NOT_TLS_CODE.test(code)) {
    const hint = 'Check the host and port, or use http:// if the site has no TLS.';
    return new FetchError(
      'INVALID_HTTP_RESPONSE',
      `The server at ${host} does not support TLS, which https:// requires.`,
      {
        hint,
      },
    );
  }
  if (name !== 'HTTPParserError') return undefined;
  const hint = 'Check the host and port: the address must be that of a web server.';
  return new FetchError('INVALID_HTTP_RESPONSE', `The server at ${host} does not respond with valid HTTP.`, { hint });
};

/**
 * Converts an error of the HTTP client. Refused and broken connections are transient; protocol errors and invalid
 * certificates are not.
 */
export const toFetchError = (error: unknown, host: string) => {
  if (error instanceof FetchError) return error;
  const protocolError = notHttpError(host, error as NodeJS.ErrnoException);
  if (protocolError) return protocolError;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === HEADERS_OVERFLOW_CODE) {
    const hint = 'Reduce the response headers that the server sends.';
    return new FetchError('CONNECTION_FAILED', `The response headers from ${host} are too large (${code}).`, { hint });
  }
  const transient = TRANSIENT_CODE.test(code);
  const hint = transient
    ? 'Check that the site is up; the fetch will be retried.'
    : 'Check the certificate and configuration of the site.';
  return new FetchError('CONNECTION_FAILED', `The connection to ${host} failed (${code}).`, { hint, transient });
};
