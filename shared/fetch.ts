/**
 * The only way to a web page that somebody else named. One deadline covers redirects, name look-up, headers and body;
 * one cap the bytes, sent and decoded; and a socket is opened only to an address that was judged after look-up.
 */
import { createFetcher } from './fetch/fetcher.ts';

export { FetchError } from './fetch/errors.ts';
export { createFetcher, webAddress, type Fetch, type Fetched, type FetchOptions, type Head } from './fetch/fetcher.ts';

/** Fetches a page within the limits of the settings; throws `FetchError` with a code, a hint and whether to try again. */
export const fetchGuarded = createFetcher();
