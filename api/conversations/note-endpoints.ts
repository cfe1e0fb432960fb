/** Endpoints for the internal notes of a conversation. */
import * as notes from '#shared/domain/conversations/annotations/notes.ts';
import { teamView } from '#shared/domain/conversations/conversation.ts';
import { AppError } from '#shared/errors.ts';
import { ConversationView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { NewNote } from './input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id/notes';

const TEXT_REQUIRED = 'text is required';

const requireText = (text: string): string => {
  if (!text.trim()) throw new AppError(400, 'PARAMETER_MISSING', TEXT_REQUIRED);
  return text;
};

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    record,
    role: 'agent',
    summary: 'Add a note, visible to the team only, to a conversation. Agents must participate in the conversation',
    missingParameterErrors: { text: TEXT_REQUIRED },
    body: NewNote,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body: { text }, actor }) =>
      teamView(await notes.add({ id_project, request_id }, requireText(text), actor)),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:note_id`,
    record,
    role: 'agent',
    summary: 'Delete a note. Agents must participate in the conversation',
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id, note_id }, actor }) =>
      teamView(await notes.remove({ id_project, request_id }, note_id, actor)),
  }),
];
