/** The endpoint for the change history of a conversation. */
import { z } from 'zod';
import * as history from '#shared/domain/activities/conversation-history.ts';
import { find } from '#shared/domain/conversations/conversation.ts';
import { ConversationChangeView } from '#shared/models/conversation-change.ts';
import { endpoint } from '../http/endpoint.ts';
import { optionalInteger } from '../http/request/paging.ts';

const HISTORY_PER_PAGE = 40;

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/history',
    role: 'agent',
    programs: 'subscriptions',
    summary:
      'List the changes to a conversation and who made them, oldest first. Changes are kept for `ACTIVITY_TTL_SECONDS`',
    query: z.object({
      page: optionalInteger(0, 1_000_000).meta({ description: 'Page number, starting at 0' }),
      limit: optionalInteger(1, 1000).meta({ description: `Default ${HISTORY_PER_PAGE}, at most 1000` }),
    }),
    reply: z.strictObject({ perPage: z.number(), count: z.number(), history: z.array(ConversationChangeView) }),
    handle: async ({ project: id_project, params: { request_id }, query: { page = 0, limit = HISTORY_PER_PAGE } }) => {
      await find({ id_project, request_id });
      return {
        perPage: limit,
        ...(await history.list({ id_project, request_id }, { skip: page * limit, limit })),
      };
    },
  }),
];
