/** The resources of the API, one line each. */
import auth from './auth/endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import kb from './kb/endpoints.ts';
import projects from './projects/endpoints.ts';

/** Every endpoint there is. */
export const endpoints: Endpoint[] = [...auth, ...projects, ...kb];
