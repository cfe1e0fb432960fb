/** A project's messages, in and beside its conversations (contract b 3.7). */
import { z } from 'zod';
import { sayIn, write } from '#shared/domain/conversations/beside.ts';
import * as messages from '#shared/domain/conversations/messages.ts';
import { MessageView, PostedMessageView } from '#shared/models/message.ts';
import { Highlight, highlights } from '#shared/search/highlights.ts';
import { wantedIn } from '#shared/search/words.ts';
import { maybe } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { AddressedInput } from './input.ts';

const ROOT = '/v3/:project_id/messages';
const DEFAULT = 10;
const MOST = 50;

const hits = ({ text }: messages.StoredMessage, words: string[]): Highlight[] =>
  highlights([['text', text]], (word) => words.includes(word));

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary:
      'Write to one person of the project (`channel_type` `direct`), or into a conversation that is there (`group`)',
    body: AddressedInput,
    reply: MessageView,
    handle: ({ project, body: { channel_type, ...said }, actor }) =>
      channel_type === 'group' ? sayIn(project, said, actor) : write(project, said, actor),
  }),
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'owner',
    summary: 'The messages of the project, the newest first',
    query: z.object({
      page: wholeNumber(0, 1_000_000).meta({ description: 'From 0' }),
      limit: wholeNumber(1, 1_000_000).meta({ description: `Default ${DEFAULT}; above ${MOST} it is ${DEFAULT}` }),
      full_text: z.string().max(LIMITS.name).optional().meta({ description: 'Words that are all in it' }),
      populate_request: z.string().optional().meta({ description: 'Any value: each with its conversation' }),
    }),
    reply: z.array(PostedMessageView.extend({ highlights: maybe(z.array(Highlight)) })),
    handle: async ({ project, query: { page = 0, limit = DEFAULT, full_text, populate_request } }) => {
      const most = limit > MOST ? DEFAULT : limit;
      const words = full_text ? wantedIn(full_text) : undefined;
      const found = await messages.latest(project, { skip: page * most, limit: most, words });
      const shown = populate_request ? await messages.withRequests(found) : found;
      return words ? shown.map((message) => ({ ...message, highlights: hits(message, words) })) : shown;
    },
  }),
];
