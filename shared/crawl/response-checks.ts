/** Checks the status and content type of a response before its body is read. */
import { FetchError, type ResponseHead } from '../fetch/guarded-fetch.ts';
import { parseRetryAfterMs } from '../time/retry-after.ts';

/** The longest delay that a site can request with `Retry-After`. */
export const MAX_RETRY_AFTER_MS = 300_000;

const STATUS_HINTS: Record<number, string> = {
  401: 'The page requires a sign-in; use a public page.',
  403: 'The site rejects the crawler; allow its user agent on the site.',
  404: 'The page does not exist; check the address.',
  410: 'The page was removed; delete this content.',
};

const TRANSIENT_STATUSES = new Set([408, 425, 429]);
const TEXT_TYPE = /^(text\/.*|application\/(.*\+)?(xml|json))$/;

/** Throws `FetchError` unless the status is 2xx. */
export const checkStatus = ({ status, headers }: ResponseHead) => {
  if (status >= 200 && status < 300) return;
  const transient = status >= 500 || TRANSIENT_STATUSES.has(status);
  throw new FetchError(`HTTP_${status}`, `The site returned ${status}.`, {
    hint: transient
      ? 'The site is busy or broken; try again later.'
      : (STATUS_HINTS[status] ?? 'Open the address in a browser and check it.'),
    transient,
    ...(transient ? { retryAfterMs: parseRetryAfterMs(headers['retry-after'], { maxMs: MAX_RETRY_AFTER_MS }) } : {}),
  });
};

const checkContentType = ({ headers }: ResponseHead) => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!type || TEXT_TYPE.test(type)) return;
  throw new FetchError('UNSUPPORTED_TYPE', `The address returned ${type.slice(0, 80)}, which is not text.`, {
    hint: 'Use the address of a web page or a text file, or add the file with its type: pdf, docx or csv.',
  });
};

/** Throws `FetchError` unless the response is a text page or an accepted file, or a 304 to a conditional request. */
export const checkResponseHead = (
  head: ResponseHead,
  { isConditional, acceptsFiles }: { isConditional: boolean; acceptsFiles: boolean },
) => {
  if (isConditional && head.status === 304) return;
  checkStatus(head);
  if (!acceptsFiles) checkContentType(head);
};
