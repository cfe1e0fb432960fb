/** Endpoints for subscriptions: URLs that a project registers for events. */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/integrations/subscriptions.ts';
import { SubscriptionView } from '#shared/models/subscription.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/subscriptions';

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    summary: 'List the subscriptions without their secrets',
    reply: z.array(SubscriptionView),
    handle: ({ project }) => subscriptions.list(project),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:subscription_id`,
    role: 'admin',
    summary: 'Get a subscription without its secret',
    reply: SubscriptionView,
    handle: ({ project, params: { subscription_id } }) => subscriptions.read(project, subscription_id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    summary:
      'Subscribe a URL to an event and get the secret that signs the calls. Repeating the call returns the same subscription',
    body: z.object({
      event: z
        .string()
        .regex(/^[\w.*-]+$/, 'must contain only letters, digits, _, ., * and -')
        .max(INPUT_LIMITS.eventName)
        .meta({ description: 'Name of the event' }),
      target: z.url({ protocol: /^https?$/ }).max(INPUT_LIMITS.kbSource),
    }),
    reply: SubscriptionView.extend({ secret: z.string() }),
    handle: ({ project, body, actor }) => subscriptions.create(project, body, actor.id),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:subscription_id/secret`,
    record: { collection: 'subscriptions', parameter: 'subscription_id' },
    role: 'admin',
    summary: 'Replace the secret of a subscription; tokens signed with the previous secret are revoked',
    reply: z.strictObject({ secret: z.string() }),
    handle: async ({ project, params: { subscription_id } }) => ({
      secret: await subscriptions.renewSecret(project, subscription_id),
    }),
  }),
];
