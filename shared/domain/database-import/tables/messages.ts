/** Imports messages of conversations, and direct messages. */
import { z } from 'zod';
import { Message } from '../../../models/message.ts';
import { authoredFields, nonEmptyText, number, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** The field `channel` of messages and conversations. */
export const channel = () => withDefault(z.object({ name: withDefault(nonEmptyText(), 'chat21') }), { name: 'chat21' });

export const messages: ImportTable = {
  model: Message,
  sources: ['messages'],
  fields: z.object({
    ...authoredFields,
    recipient: nonEmptyText(),
    recipientFullname: optional(text()),
    sender: nonEmptyText(),
    senderFullname: optional(text()),
    text: optional(text()),
    type: withDefault(nonEmptyText(), 'text'),
    metadata: optional(object()),
    attributes: optional(object()),
    language: optional(text()),
    channel: channel(),
    channel_type: withDefault(nonEmptyText(), 'group'),
    status: withDefault(number(), 200),
  }),
};
