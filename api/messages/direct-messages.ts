/** Endpoints for the messages of a whole project, including direct messages outside conversations. */
import { z } from 'zod';
import { postDirect, postToConversation } from '#shared/domain/conversations/posting/direct-messages.ts';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import { MessageView, PostedMessageView } from '#shared/models/message.ts';
import { Highlight, highlightTexts } from '#shared/search/highlights.ts';
import { queryTerms } from '#shared/search/words.ts';
import { optionalField } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { optionalInteger } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { ProjectMessageInput } from './input.ts';

const BASE_PATH = '/v3/:project_id/messages';
const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 50;

const textHighlights = ({ text }: messages.StoredMessage, words: string[]): Highlight[] =>
  highlightTexts([['text', text]], (word) => words.includes(word));

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Send a direct message to a member, bot or lead (`direct`), or post to an existing conversation (`group`)',
    body: ProjectMessageInput,
    reply: MessageView,
    handle: ({ project, body: { channel_type, ...message }, actor }) =>
      channel_type === 'group' ? postToConversation(project, message, actor) : postDirect(project, message, actor),
  }),
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'owner',
    summary: 'List the messages of a project, newest first',
    query: z.object({
      page: optionalInteger(0, 1_000_000).meta({ description: 'Page number, starting at 0' }),
      limit: optionalInteger(1, 1_000_000).meta({
        description: `Default ${DEFAULT_PER_PAGE}; values above ${MAX_PER_PAGE} are replaced by ${DEFAULT_PER_PAGE}`,
      }),
      full_text: z
        .string()
        .max(INPUT_LIMITS.name)
        .optional()
        .meta({ description: 'Words that must all occur in the message' }),
      populate_request: z
        .string()
        .optional()
        .meta({ description: 'Any value: include the conversation of each message' }),
    }),
    reply: z.array(PostedMessageView.extend({ highlights: optionalField(z.array(Highlight)) })),
    handle: async ({ project, query: { page = 0, limit = DEFAULT_PER_PAGE, full_text, populate_request } }) => {
      const perPage = limit > MAX_PER_PAGE ? DEFAULT_PER_PAGE : limit;
      const words = full_text ? queryTerms(full_text) : undefined;
      const found = await messages.listLatest(project, { skip: page * perPage, limit: perPage, words });
      const populated = populate_request ? await messages.withConversations(found) : found;
      return words
        ? populated.map((message) => ({ ...message, highlights: textHighlights(message, words) }))
        : populated;
    },
  }),
];
