/** The endpoint that streams the changes of a project. */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { EventStream, endpoint } from '../http/endpoint.ts';
import { changesFeed } from './changes-feed.ts';

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/stream',
    role: 'guest',
    bots: true,
    streams: 'only',
    summary: 'Stream changes as server-sent events. Visitors see their own conversations only',
    query: z.object({
      after: Cursor.optional().meta({ description: 'Cursor to continue from; absent: start now' }),
    }),
    errors: { 410: 'Changes after this cursor may be missing: list the records again and continue from `next`' },
    reply: z.string().meta({
      description:
        '`id` is the cursor, `event` the name, `data` the change as returned by `/changes` (see `/v3/asyncapi.json`). ' +
        'The event `gap` with `{next}` ends the stream: list the records again and continue from `next`.',
    }),
    handle: async ({ actor, project, query: { after }, signal, reauthorize }) =>
      new EventStream(changesFeed({ actor, project, after }, { signal, reauthorize })),
  }),
];
