import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { departmentOf, given, Member, opening } from './fields.ts';

/** Body of opening a conversation in which nothing is said yet (contract b 1.7). */
export const NewRequest = z
  .object({
    first_text: z.string().min(1).max(LIMITS.messageText),
    request_id: given(z.string().min(1).max(LIMITS.requestId)),
    ...opening,
  })
  .transform(departmentOf);

/** Body of closing: known clients send any JSON. */
export const Closing = z.object({ force: given(z.boolean()) });

/** Body of letting one more take part. */
export const NewParticipant = z.object({ member: Member });
