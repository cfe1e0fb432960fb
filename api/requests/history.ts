/** Who changed what in a conversation (contract b 1.19). */
import { z } from 'zod';
import * as history from '#shared/domain/activities/history.ts';
import { find } from '#shared/domain/conversations/requests.ts';
import { RequestChangeView } from '#shared/models/request-change.ts';
import { endpoint } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';

const PER_PAGE = 40;

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/history',
    role: 'agent',
    bots: 'subscriptions',
    summary: 'What was changed in a conversation, and by whom, the oldest first, as far back as that is kept',
    query: z.object({
      page: wholeNumber(0, 1_000_000).meta({ description: 'From 0' }),
      limit: wholeNumber(1, 1000).meta({ description: `Default ${PER_PAGE}, at most 1000` }),
    }),
    reply: z.strictObject({ perPage: z.number(), count: z.number(), history: z.array(RequestChangeView) }),
    handle: async ({ project: id_project, params: { request_id }, query: { page = 0, limit = PER_PAGE } }) => {
      await find({ id_project, request_id });
      return {
        perPage: limit,
        ...(await history.list({ id_project, request_id }, { skip: page * limit, limit })),
      };
    },
  }),
];
