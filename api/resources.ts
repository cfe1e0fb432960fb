/** The list of resources. Their order does not matter: the router tries literal path segments before parameters. */
import type { Endpoint } from './http/endpoint.ts';

const resources = await Promise.all([
  import('./auth/endpoints.ts'),
  import('./tokens/endpoints.ts'),
  import('./project-keys/endpoints.ts'),
  import('./users/endpoints.ts'),
  import('./projects/endpoints.ts'),
  import('./widgets/endpoints.ts'),
  import('./teammates/endpoints.ts'),
  import('./groups/endpoints.ts'),
  import('./departments/endpoints.ts'),
  import('./bots/endpoints.ts'),
  import('./intents/endpoints.ts'),
  import('./subscriptions/endpoints.ts'),
  import('./triggers/endpoints.ts'),
  import('./kb/endpoints.ts'),
  import('./kb-settings/endpoints.ts'),
  import('./llm/endpoints.ts'),
  import('./integrations/endpoints.ts'),
  import('./quotas/endpoints.ts'),
  import('./changes/endpoints.ts'),
  import('./dead-letters/endpoints.ts'),
  import('./realtime/endpoints.ts'),
  import('./custom-events/endpoints.ts'),
  import('./messages/endpoints.ts'),
  import('./conversations/endpoints.ts'),
  import('./emails/endpoints.ts'),
  import('./files/endpoints.ts'),
  import('./leads/endpoints.ts'),
  import('./lead-properties/endpoints.ts'),
  import('./segments/endpoints.ts'),
  import('./labels/endpoints.ts'),
  import('./canned-responses/endpoints.ts'),
  import('./tags/endpoints.ts'),
  import('./activities/endpoints.ts'),
  import('./transcripts/endpoints.ts'),
  import('./analytics/endpoints.ts'),
]);

/** All endpoints of the API. */
export const endpoints: Endpoint[] = resources.flatMap(({ default: resource }) => resource);
