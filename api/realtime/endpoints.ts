/** The endpoints that send the changes of projects as they happen. */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { issueTicket, TICKET_TTL_SECONDS } from '../http/auth/stream-tickets.ts';
import { EventStream, endpoint } from '../http/endpoint.ts';
import { sseFrames } from './sse-frames.ts';
import sockets from './sockets/endpoints.ts';
import { ticketParameter } from './ticket-parameter.ts';

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/stream/ticket',
    role: 'guest',
    programs: 'all',
    summary: 'Issue a ticket with which a client that cannot send headers opens one stream or socket',
    reply: z.strictObject({
      ticket: z.string().meta({ description: 'Send it as `?ticket=`' }),
      expires_in: z.number().meta({ description: 'Seconds' }),
    }),
    handle: async ({ project, access: { authorization } }) => ({
      ticket: await issueTicket({ authorization, project }),
      expires_in: TICKET_TTL_SECONDS,
    }),
  }),
  ...sockets,
  endpoint({
    method: 'get',
    path: '/v3/:project_id/stream',
    role: 'guest',
    programs: 'all',
    streams: 'only',
    summary: 'Stream changes as server-sent events. Visitors see only changes to their own conversations',
    query: z.object({
      after: Cursor.optional().meta({ description: 'Cursor to continue from; absent: start now' }),
      ticket: ticketParameter,
    }),
    errors: { 410: 'Changes after this cursor may be missing. List the records again and continue from `next`' },
    reply: z.string().meta({
      description:
        '`id` is the cursor, `event` the name, and `data` the change as returned by `/changes` (see `/v3/asyncapi.json`). ' +
        'The event `gap` with `{next}` ends the stream. List the records again and continue from `next`.',
    }),
    handle: async ({ actor, project, query: { after }, signal, reauthorize }) =>
      new EventStream(sseFrames({ actor, project, after }, { signal, reauthorize })),
  }),
];
