/** Endpoints for the tags of a conversation. */
import type { z } from 'zod';
import * as conversationTags from '#shared/domain/conversations/annotations/conversation-tags.ts';
import { teamView } from '#shared/domain/conversations/conversation.ts';
import { AppError } from '#shared/errors.ts';
import { ConversationView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { TagsInput } from './input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id/tag';

const requireTags = (tags: z.output<typeof TagsInput>) => {
  if (!tags.length) throw new AppError(400, 'TAGS_MISSING', 'At least one tag is required');
  return tags;
};

export default [
  endpoint({
    method: 'put',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Add tags to a conversation. A tag is not added if the conversation already has a tag with the same name',
    body: TagsInput,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      teamView(await conversationTags.add({ id_project, request_id }, requireTags(body))),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:tag_id`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Remove a tag from a conversation. `tag_id` is the `_id` that the tag has in the conversation',
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id, tag_id } }) =>
      teamView(await conversationTags.remove({ id_project, request_id }, tag_id)),
  }),
];
