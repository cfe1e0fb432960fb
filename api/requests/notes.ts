/** What teammates note on a conversation (contract b 1.14). */
import * as notes from '#shared/domain/conversations/notes.ts';
import { showOne } from '#shared/domain/conversations/requests.ts';
import { AppError } from '#shared/errors.ts';
import { RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { NewNote } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests/:request_id/notes';

const BLANK = 'text is required';

const worded = (text: string): string => {
  if (!text.trim()) throw new AppError(400, 'MISSING', BLANK);
  return text;
};

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    record,
    role: 'agent',
    summary: 'Note something on a conversation, for the team alone; an agent has to take part in it',
    missing: { text: BLANK },
    body: NewNote,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body: { text }, actor }) =>
      showOne(await notes.add({ id_project, request_id }, worded(text), actor)),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:note_id`,
    record,
    role: 'agent',
    summary: 'Remove a note; an agent has to take part in the conversation',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id, note_id }, actor }) =>
      showOne(await notes.remove({ id_project, request_id }, note_id, actor)),
  }),
];
