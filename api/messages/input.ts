import { z } from 'zod';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';
import { departmentOf, given, opening, text } from '../requests/fields.ts';

/** Body of posting a message; what opens a conversation counts in the first one only (contract b 3.3). */
export const MessageInput = z
  .object({
    text: text(LIMITS.messageText),
    type: text(LIMITS.name),
    metadata: given(FreeObject),
    status: given(z.number().int().min(-100).max(300)),
    client_message_id: given(z.string().min(1).max(LIMITS.name)).meta({
      description: "The client's own name of the message: posting again under it answers the message that is there",
    }),
    preflight: given(z.boolean()),
    request_status: given(z.number().int()),
    ...opening,
  })
  .refine(({ type, metadata }) => type !== 'image' || metadata, {
    path: ['metadata'],
    error: 'An image needs metadata',
  })
  .transform(departmentOf);
