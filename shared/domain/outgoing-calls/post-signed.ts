/**
 * Posts signed JSON, with a timeout. The target must be an address that outgoing requests may reach (see
 * `guarded-fetch.ts`); redirects are not followed.
 */
import { fetchGuarded } from '../../fetch/guarded-fetch.ts';

export interface SignedRequest {
  url: string;
  json: string;
  /** The signature and other headers. */
  headers: Record<string, string>;
  timeoutMs: number;
  /** The response body is truncated to this size. */
  maxBytes: number;
}

/** Posts a signed request. Returns the response, with a body of at most `maxBytes`. Throws a FetchError on failure. */
export const postSigned = ({ url, ...request }: SignedRequest) => fetchGuarded(url, { ...request, truncate: true });

/** Returns whether a status reports a temporary failure of the server rather than a rejection of the request. */
export const isTransientStatus = (status: number): boolean =>
  status < 200 || status === 408 || status === 429 || status >= 500;
