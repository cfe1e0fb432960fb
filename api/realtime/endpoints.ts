/** Following a project as it happens (decisions 28 and 54). */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { endpoint, EventStream } from '../http/endpoint.ts';
import { feed } from './feed.ts';

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/stream',
    role: 'guest',
    bots: true,
    streams: 'only',
    summary: 'Follow what happens, as server-sent events; a visitor sees its own conversations only',
    query: z.object({
      after: Cursor.optional().meta({ description: 'The cursor to go on from; without it, from now on' }),
    }),
    errors: { 410: 'Changes after this cursor may be missing: list again and go on from `next`' },
    reply: z.string().meta({
      description:
        '`id` is the cursor, `event` the name, `data` the change as `/changes` answers it (see `/v3/asyncapi.json`). ' +
        'Event `gap` with `{next}`: list again; it is the last one.',
    }),
    handle: async ({ actor, project, query: { after }, signal, admitted }) =>
      new EventStream(feed({ actor, project, after }, { signal, admitted })),
  }),
];
