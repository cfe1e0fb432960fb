import { currentTimeMs } from './clock.ts';

/** Parses a `Retry-After` header (seconds or a date) into milliseconds, at most `maxMs`; undefined if it is invalid. */
export const parseRetryAfterMs = (
  header: string | null | undefined,
  { maxMs = Number.POSITIVE_INFINITY, now = currentTimeMs() } = {},
): number | undefined => {
  if (!header) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxMs);
};
