/** Posts signed JSON, with a timeout and the checks of all outgoing connections. Redirects are not followed. */
import { fetchGuarded } from '#shared/fetch/guarded-fetch.ts';

/** A signed request. */
export interface SignedRequest {
  url: string;
  json: string;
  /** The signature, and other headers. */
  headers: Record<string, string>;
  timeoutMs: number;
  /** The response is cut at this size. */
  maxBytes: number;
}

/** Posts a signed request and returns the first bytes of the response. Throws a FetchError if there is none. */
export const postSigned = ({ url, ...request }: SignedRequest) => fetchGuarded(url, { ...request, truncate: true });

/** Whether a retry may change this status. */
export const isTransientStatus = (status: number): boolean =>
  status < 200 || status === 408 || status === 429 || status >= 500;
