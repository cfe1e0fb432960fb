/** Calls to the REST API. */
import { createClient } from '../client/client.ts';

/** The status of a closed conversation. */
export const CLOSED_STATUS = 1000;

/** Returns a client that uses these credentials and repeats a call until the network and the server work. */
export const apiClient = (authorization) =>
  createClient({ url: location.origin, authorization, retries: Number.POSITIVE_INFINITY });
