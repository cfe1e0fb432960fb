import { z } from 'zod';
import { flag, integer } from '#shared/lenient.ts';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';
import { departmentOf, given, Member, opening, text } from '../requests/fields.ts';

/** What every message is made of, however it comes in. */
const said = {
  text: text(LIMITS.messageText),
  type: text(LIMITS.name),
  metadata: given(FreeObject),
  status: given(integer()),
};

const name = {
  client_message_id: given(z.string().min(1).max(LIMITS.name)).meta({
    description: "The client's own name of the message: sent again under it, it is the message that is there",
  }),
};

/** Types that show what lies at the address `metadata.src`, and what they are called. */
const SHOWING: Record<string, string> = { image: 'An image', frame: 'A frame', file: 'A file' };

const isWebAddress = (src: unknown): boolean => {
  const url = typeof src === 'string' ? URL.parse(src) : null;
  return url?.protocol === 'http:' || url?.protocol === 'https:';
};

/** An image, frame or file is at an address of the web: clients put it into their pages (specification 2.5). */
const withAddress = (
  { type = '', metadata }: { type?: string; metadata?: Record<string, unknown> },
  context: z.RefinementCtx,
): void => {
  const what = Object.hasOwn(SHOWING, type) ? SHOWING[type] : undefined;
  if (!what) return;
  if (!metadata)
    context.addIssue({
      code: 'custom',
      path: ['metadata'],
      message: `is required: ${what.toLowerCase()} is at the address in metadata.src`,
    });
  else if (!isWebAddress(metadata.src))
    context.addIssue({
      code: 'custom',
      path: ['metadata', 'src'],
      message: 'must be an absolute http:// or https:// URL',
    });
};

/** Body of posting a message; what opens a conversation counts in the first one only (contract b 3.3). */
export const MessageInput = z
  .object({ ...said, ...name, preflight: given(flag()), request_status: given(integer()), ...opening })
  .superRefine(withAddress)
  .transform(departmentOf);

/** The last moment with a year of four digits. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const Moment = integer(0, LAST_MS);

const withMoment = ({ attributes }: { attributes?: Record<string, unknown> }, context: z.RefinementCtx): void => {
  const moment = attributes?.clienttimestamp;
  if (moment !== undefined && !Moment.safeParse(moment).success)
    context.addIssue({
      code: 'custom',
      path: ['attributes', 'clienttimestamp'],
      message: 'must be milliseconds since 1970',
    });
};

const ImportedMessage = z
  .object({
    ...said,
    ...name,
    sender: given(Member),
    senderFullname: opening.senderFullname,
    language: opening.language,
    channel: opening.channel,
    attributes: opening.attributes.meta({ description: '`clienttimestamp`, in milliseconds, is when it was said' }),
  })
  .superRefine(withAddress)
  .superRefine(withMoment);

/** No name stands for two messages of one call. */
const namedOnce = (messages: { client_message_id?: string }[], context: z.RefinementCtx): void => {
  const names = new Set<string>();
  messages.forEach(({ client_message_id: name }, index) => {
    if (name === undefined) return;
    if (names.has(name))
      context.addIssue({
        code: 'custom',
        path: [index, 'client_message_id'],
        message: 'must not be given to two messages',
      });
    names.add(name);
  });
};

/** Body of importing messages (contract b 3.4). */
export const ImportInput = z.array(ImportedMessage).min(1).max(LIMITS.importedMessages).superRefine(namedOnce);

/** Body of writing to somebody of the project, or into a conversation (contract b 3.7). */
export const AddressedInput = z
  .object({
    ...said,
    recipient: z.string().min(1).max(LIMITS.requestId),
    recipientFullname: z.string().min(1).max(LIMITS.name),
    channel_type: given(z.enum(['direct', 'group'])).meta({ description: 'Default `direct`' }),
    sender: given(Member),
    senderFullname: opening.senderFullname,
    language: opening.language,
    channel: opening.channel,
    attributes: opening.attributes,
  })
  .superRefine(withAddress)
  .refine(({ text, type = 'text' }) => text || type !== 'text', {
    path: ['text'],
    error: 'is required in a message of type text',
  });
