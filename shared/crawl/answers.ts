import { FetchError, type Head } from '#shared/fetch.ts';

const MAX_RETRY_AFTER = 300_000;

/** Milliseconds a `retry-after` asks for, as seconds or as a date, five minutes at most. */
export const retryAfterMs = (header: string | undefined, now = Date.now()) => {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER);
};

const HINTS: Record<number, string> = {
  401: 'The page needs a sign-in; give a public one.',
  403: 'The site refuses the crawler; allow its user agent there.',
  404: 'The page is not there; check the address.',
  410: 'The page was removed; delete this content.',
};

const PASSING = new Set([408, 425, 429]);
const TEXT = /^(text\/.*|application\/(.*\+)?(xml|json))$/;

const checkStatus = ({ status, headers }: Head) => {
  if (status >= 200 && status < 300) return;
  const transient = status >= 500 || PASSING.has(status);
  throw new FetchError(`HTTP_${status}`, `The site answered ${status}.`, {
    hint: transient
      ? 'The site is busy or broken; it is tried again.'
      : (HINTS[status] ?? 'Open the address in a browser and check it.'),
    transient,
    ...(transient ? { retryAfterMs: retryAfterMs(headers['retry-after']) } : {}),
  });
};

const checkType = ({ headers }: Head) => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!type || TEXT.test(type)) return;
  throw new FetchError('UNSUPPORTED_TYPE', `The address holds ${type.slice(0, 80)}, not a page of text.`, {
    hint: 'Give the address of a web page or a text file.',
  });
};

/** Throws unless an answer is a page of text, or the 304 that was asked for. */
export const checkHead = (head: Head, conditional: boolean) => {
  if (conditional && head.status === 304) return;
  checkStatus(head);
  checkType(head);
};
