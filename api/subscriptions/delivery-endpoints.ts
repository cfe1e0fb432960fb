/** Endpoints for deliveries to subscriptions: their log, tests and replays. */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/integrations/subscriptions.ts';
import { listAttempts } from '#shared/domain/webhooks/list-attempts.ts';
import { replayDeliveries } from '#shared/domain/webhooks/replay.ts';
import { sendTest } from '#shared/domain/webhooks/send-test.ts';
import { WebhookAttemptView } from '#shared/models/webhook-attempt.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { HistoryQuery, ReplayInput, TestInput } from './input.ts';
import type { SubscriptionScope } from './scopes.ts';

const ATTEMPTS_PER_PAGE = 40;

/** Returns the endpoints for deliveries to the subscriptions of one scope: a project, or the instance. */
export const deliveryEndpoints = ({ basePath, role, adjective, ownerOf }: SubscriptionScope): Endpoint[] => [
  endpoint({
    method: 'get',
    path: `${basePath}/history`,
    role,
    summary: `List the attempts to deliver events to ${adjective}subscriptions, newest first`,
    query: HistoryQuery,
    reply: z.array(WebhookAttemptView),
    handle: ({ query: { page = 0, ...filter }, ...call }) =>
      listAttempts(ownerOf(call), filter, { skip: page * ATTEMPTS_PER_PAGE, limit: ATTEMPTS_PER_PAGE }),
  }),
  endpoint({
    method: 'post',
    path: `${basePath}/test`,
    role,
    summary: `Send a test event to a ${adjective}subscription. The result is in the list of the attempts to deliver events`,
    body: TestInput,
    reply: z.strictObject({ success: z.literal(true), delivery: z.string() }),
    handle: async ({ body: { subscription }, ...call }) => ({
      success: true as const,
      delivery: await sendTest(await subscriptions.read(ownerOf(call), subscription)),
    }),
  }),
  endpoint({
    method: 'post',
    path: `${basePath}/:subscription_id/replay`,
    role,
    summary: `Schedule the delivery of retained events to a ${adjective}subscription, in order and with the same ids: one event, the events of a time range, or all`,
    body: ReplayInput,
    reply: z.strictObject({ count: z.number().meta({ description: 'Number of events whose delivery was scheduled' }) }),
    handle: async ({ params: { subscription_id: subscription }, body, ...call }) => {
      const key = { id_project: ownerOf(call), subscription };
      await subscriptions.read(key.id_project, subscription);
      return { count: await replayDeliveries(key, body) };
    },
  }),
];
