/** The endpoint that reads the changes log by long polling. */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { longPoll } from '#shared/domain/events/stream-changes.ts';
import { Time } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { optionalInteger } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { assertScopeUnchanged, changeScope } from './scope.ts';

const AFTER_DESCRIPTION =
  'Cursor to continue from. `0`: start at the oldest change. Absent: return no changes, only the current `next`';

/** A change on the wire. */
const ChangeView = z.strictObject({
  cursor: z.string().meta({ description: 'Position in the log; opaque' }),
  id: z.string().meta({ description: 'Unique id of the change, the same in repeated deliveries' }),
  event: z.string(),
  createdAt: Time,
  payload: z.unknown().meta({ description: 'Payload as `/v3/asyncapi.json` describes it for this event' }),
});

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/changes',
    role: 'guest',
    programs: 'all',
    waits: true,
    summary: 'List the changes after a cursor, in order. Visitors see only changes to their own conversations',
    query: z.object({
      after: Cursor.optional().meta({ description: AFTER_DESCRIPTION }),
      limit: optionalInteger(1, INPUT_LIMITS.changesPerPage).meta({ description: 'Default 100, at most 500' }),
      wait: optionalInteger(0, INPUT_LIMITS.longPollSeconds).meta({
        description: 'Seconds to wait for the first change, at most 25',
      }),
    }),
    errors: { 410: 'Changes after this cursor may be missing. List the records again and continue from `next`' },
    reply: z.strictObject({ changes: z.array(ChangeView), next: z.string() }),
    handle: async ({ actor, project, query: { after, limit = 100, wait = 0 }, signal, reauthorize }) => {
      const scope = changeScope(actor, project);
      const page = await longPoll(scope, { after, limit, wait }, signal);
      if (wait && page.changes.length) assertScopeUnchanged(scope, await reauthorize());
      return page;
    },
  }),
];
