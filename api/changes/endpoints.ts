/** The changes log over HTTP (decision 54). */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { soon } from '#shared/domain/events/following.ts';
import { Time } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { mustStillSee, scopeOf } from './scope.ts';

const AFTER = 'The cursor to go on from; `0`: from the oldest kept; without it, none but the present `next`';

/** A change on the wire. */
const ChangeView = z.strictObject({
  cursor: z.string().meta({ description: 'Its place in the log; opaque' }),
  id: z.string().meta({ description: 'The same however often it is delivered' }),
  event: z.string(),
  createdAt: Time,
  payload: z.unknown().meta({ description: 'What `/v3/asyncapi.json` says for this event' }),
});

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/changes',
    role: 'guest',
    bots: true,
    waits: true,
    summary: 'What happened after a cursor, in order; a visitor sees its own conversations only',
    query: z.object({
      after: Cursor.optional().meta({ description: AFTER }),
      limit: wholeNumber(1, LIMITS.changes).meta({ description: 'Default 100, at most 500' }),
      wait: wholeNumber(0, LIMITS.wait).meta({ description: 'Seconds to wait for the first one, at most 25' }),
    }),
    errors: { 410: 'Changes after this cursor may be missing: list again and go on from `next`' },
    reply: z.strictObject({ changes: z.array(ChangeView), next: z.string() }),
    handle: async ({ actor, project, query: { after, limit = 100, wait = 0 }, signal, admitted }) => {
      const scope = scopeOf(actor, project);
      const page = await soon(scope, { after, limit, wait }, signal);
      if (wait && page.changes.length) mustStillSee(scope, await admitted());
      return page;
    },
  }),
];
