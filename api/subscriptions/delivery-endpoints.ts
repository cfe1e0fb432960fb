/** Endpoints for the deliveries of subscriptions: their log, tests and replays. */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/integrations/subscriptions.ts';
import { listAttempts } from '#shared/domain/webhooks/list-attempts.ts';
import { replayDeliveries } from '#shared/domain/webhooks/replay.ts';
import { sendTest } from '#shared/domain/webhooks/send-test.ts';
import { WebhookAttemptView } from '#shared/models/webhook-attempt.ts';
import { endpoint } from '../http/endpoint.ts';
import { HistoryQuery, ReplayInput, TestInput } from './input.ts';

const BASE_PATH = '/v3/:project_id/subscriptions';
const ATTEMPTS_PER_PAGE = 40;

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/history`,
    role: 'admin',
    summary: 'List the attempts to deliver events, newest first',
    query: HistoryQuery,
    reply: z.array(WebhookAttemptView),
    handle: ({ project, query: { page = 0, ...filter } }) =>
      listAttempts(project, filter, { skip: page * ATTEMPTS_PER_PAGE, limit: ATTEMPTS_PER_PAGE }),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/test`,
    role: 'admin',
    summary: 'Send a test event to a subscription; the history has the result',
    body: TestInput,
    reply: z.strictObject({ success: z.literal(true), delivery: z.string() }),
    handle: async ({ project, body: { subscription } }) => ({
      success: true as const,
      delivery: await sendTest(await subscriptions.read(project, subscription)),
    }),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/:subscription_id/replay`,
    role: 'admin',
    summary:
      'Deliver events again, with the same ids and in order: one, those of a time range, or all that are retained',
    body: ReplayInput,
    reply: z.strictObject({ count: z.number().meta({ description: 'Number of events that will be delivered again' }) }),
    handle: async ({ project, params: { subscription_id }, body }) => {
      await subscriptions.read(project, subscription_id);
      return { count: await replayDeliveries({ id_project: project, subscription: subscription_id }, body) };
    },
  }),
];
