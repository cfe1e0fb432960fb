/**
 * The only function that fetches URLs from untrusted sources. One deadline covers redirects, name lookup, headers and
 * body. One limit applies both to the encoded and to the decoded bytes. Sockets are opened only to addresses that were
 * checked after the lookup. Implemented in fetcher.ts (requests, redirects, limits) and connector.ts (lookup, check,
 * socket).
 */
import { createFetcher } from './fetcher.ts';

export { FetchError } from './errors.ts';
export {
  createFetcher,
  type Fetch,
  type FetchOptions,
  type FetchResponse,
  parseWebAddress,
  type ResponseHead,
} from './fetcher.ts';

/** Fetches a page within the configured limits. Throws `FetchError`, which has a code and a hint. */
export const fetchGuarded = createFetcher();
