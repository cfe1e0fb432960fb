/** Subscriptions to events (contract d B.5). */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/team/subscriptions.ts';
import { SubscriptionView } from '#shared/models/subscription.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/subscriptions';

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'admin',
    summary: 'The subscriptions, without their secrets',
    reply: z.array(SubscriptionView),
    handle: ({ project }) => subscriptions.list(project),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:subscription_id`,
    role: 'admin',
    summary: 'One subscription, without its secret',
    reply: SubscriptionView,
    handle: ({ project, params: { subscription_id } }) => subscriptions.read(project, subscription_id),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    summary: 'Have an event told to a URL, and get the secret that signs it; the same wish again answers the same',
    body: z.object({
      event: z
        .string()
        .regex(/^[\w.*-]+$/, 'must have letters, digits, _, ., * or - only')
        .max(LIMITS.eventName)
        .meta({ description: 'Name of the event' }),
      target: z.url({ protocol: /^https?$/ }).max(LIMITS.kbSource),
    }),
    reply: SubscriptionView.extend({ secret: z.string() }),
    handle: ({ project, body, actor }) => subscriptions.create(project, body, actor.id),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/:subscription_id/secret`,
    record: { in: 'subscriptions', by: 'subscription_id' },
    role: 'admin',
    summary: 'Replace the secret of a subscription; tokens signed with the one before end at once',
    reply: z.strictObject({ secret: z.string() }),
    handle: async ({ project, params: { subscription_id } }) => ({
      secret: await subscriptions.renewSecret(project, subscription_id),
    }),
  }),
];
