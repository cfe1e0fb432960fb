/** The resources of the API, one line each; the routes of one stand before those of the next. */
import type { Endpoint } from './http/endpoint.ts';

const resources = await Promise.all([
  import('./auth/endpoints.ts'),
  import('./tokens/endpoints.ts'),
  import('./keys/endpoints.ts'),
  import('./users/endpoints.ts'),
  import('./projects/endpoints.ts'),
  import('./widgets/endpoints.ts'),
  import('./teammates/endpoints.ts'),
  import('./groups/endpoints.ts'),
  import('./departments/endpoints.ts'),
  import('./bots/endpoints.ts'),
  import('./subscriptions/endpoints.ts'),
  import('./kb/endpoints.ts'),
  import('./changes/endpoints.ts'),
  import('./realtime/endpoints.ts'),
  import('./events/endpoints.ts'),
  import('./messages/endpoints.ts'),
  import('./requests/endpoints.ts'),
  import('./emails/endpoints.ts'),
  import('./leads/endpoints.ts'),
  import('./properties/endpoints.ts'),
  import('./segments/endpoints.ts'),
  import('./labels/endpoints.ts'),
  import('./canned/endpoints.ts'),
  import('./tags/endpoints.ts'),
  import('./activities/endpoints.ts'),
  import('./transcripts/endpoints.ts'),
]);

/** Every endpoint there is. */
export const endpoints: Endpoint[] = resources.flatMap(({ default: resource }) => resource);
