import { AppError } from '#shared/errors.ts';

/** What the reader of a failure can do: change something (`hint`), or wait where it may pass by itself (`transient`). */
export type Advice = { hint: string; transient?: boolean; retryAfterMs?: number };

const httpStatus = (code: string, transient: boolean) => {
  if (code === 'TIMEOUT') return 504;
  return transient ? 502 : 422;
};

/** A page that could not be fetched: 422 for what the caller can change, 502 or 504 for what may pass by itself. */
export class FetchError extends AppError {
  readonly hint: string;
  readonly transient: boolean;
  /** Milliseconds to wait before the next try, where the site or our own politeness says so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, { hint, transient = false, retryAfterMs }: Advice) {
    super(httpStatus(code, transient), code, message);
    this.body = { hint };
    this.name = 'FetchError';
    this.hint = hint;
    this.transient = transient;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An address that no request is made for. */
export const badUrl = (message: string) =>
  new FetchError('BAD_URL', message, { hint: 'Give a full http:// or https:// address without a user name.' });

/** A target the guard keeps us from; the resolved address stays untold, so that nobody maps a private network. */
export const refusedTarget = (host: string, port: number) =>
  new FetchError('REFUSED_TARGET', `The target ${host} on port ${port} is not a public web address.`, {
    hint: 'Only public addresses on ports 80 and 443 are fetched; an operator can allow others with FETCH_ALLOW.',
  });

/** A body over the cap, on the wire or decoded. */
export const tooLarge = (maxBytes: number) =>
  new FetchError('TOO_LARGE', `The page is larger than ${maxBytes} bytes.`, {
    hint: 'Split the page, or ask an operator to raise FETCH_MAX_BYTES.',
  });

/** A content encoding that is unknown, chained, or does not decode. */
export const badEncoding = (message: string) =>
  new FetchError('BAD_ENCODING', message, { hint: 'Serve the page plain, or with one of gzip, deflate and br.' });

/** A body in so many pieces of a few bytes that reading it costs more than it can be worth. */
export const inCrumbs = () =>
  new FetchError('IN_CRUMBS', 'The page is sent in thousands of pieces of a few bytes.', {
    hint: 'Let the server send the page in pieces of a kilobyte or more.',
  });

/** Redirects that lead in a circle or on and on. */
export const tooManyRedirects = (message: string) =>
  new FetchError('TOO_MANY_REDIRECTS', message, { hint: 'Give the address the redirects should end at.' });

/** One deadline over redirects, name look-up, headers and body has passed. */
export const timedOut = (timeoutMs: number) =>
  new FetchError('TIMEOUT', `The site did not deliver the page within ${timeoutMs / 1000} s.`, {
    hint: 'Check that the page opens quickly; it is tried again.',
    transient: true,
  });

const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/** A name that does not exist (final) or could not be looked up just now (transient). */
export const dnsFailed = (host: string, code: string | undefined) =>
  NO_SUCH_NAME.has(code ?? 'ENOTFOUND')
    ? new FetchError('DNS_FAILED', `The host ${host} does not exist.`, { hint: 'Check the spelling of the host.' })
    : new FetchError('DNS_FAILED', `The host ${host} could not be looked up.`, {
        hint: 'The name server did not answer; it is tried again.',
        transient: true,
      });

const PASSING =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|UND_ERR_(SOCKET|CLOSED|DESTROYED)|UND_ERR_CONNECT_TIMEOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)/;
const TOO_MANY_HEADERS = 'UND_ERR_HEADERS_OVERFLOW';
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;

/** A server of another kind, or one whose answer breaks the protocol. */
const notHttp = (host: string, { code = '', name }: NodeJS.ErrnoException): FetchError | undefined => {
  if (NO_TLS.test(code)) {
    const hint = 'Check host and port, or give the address with http:// if the site has no TLS.';
    return new FetchError('NOT_HTTP', `The server at ${host} does not answer in TLS, as https:// needs.`, { hint });
  }
  if (name !== 'HTTPParserError') return undefined;
  const hint = 'Check host and port: the address must be that of a web server.';
  return new FetchError('NOT_HTTP', `The server at ${host} does not answer in valid HTTP.`, { hint });
};

/** The client's own error as ours: refused and cut connections are transient; what is no HTTP and bad certificates are not. */
export const connectionFailed = (error: unknown, host: string) => {
  if (error instanceof FetchError) return error;
  const foreign = notHttp(host, error as NodeJS.ErrnoException);
  if (foreign) return foreign;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === TOO_MANY_HEADERS) {
    const hint = 'Check the server: it sends more headers than anybody reads.';
    return new FetchError('CONNECTION_FAILED', `The headers of ${host} are too long (${code}).`, { hint });
  }
  const transient = PASSING.test(code);
  const hint = transient
    ? 'Check that the site is up; it is tried again.'
    : 'Check the certificate and set-up of the site.';
  return new FetchError('CONNECTION_FAILED', `The connection to ${host} failed (${code}).`, { hint, transient });
};
