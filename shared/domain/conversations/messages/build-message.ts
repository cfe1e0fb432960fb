/** Builds the stored message from what a client sends, and computes the effects of the message on its conversation. */
import { AppError } from '../../../errors.ts';
import { isPrivate, MESSAGE_STATUS } from '../../../models/message.ts';
import { renderTemplate } from '../../../templates/render-template.ts';
import { currentTime } from '../../../time/clock.ts';
import { labelFiller } from '../catalogue/labels.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  isTeam,
  lookUp,
  type StoredConversation,
  teamView,
  visitorView,
} from '../conversation.ts';
import { DEFAULT_SENDER_NAME, type IncomingMessage } from '../new-conversation.ts';
import type { StoredMessage } from './messages.ts';
import * as microlanguage from './microlanguage.ts';

/** An incoming message, its conversation and its sender. */
interface MessageContext {
  key: ConversationKey;
  incoming: IncomingMessage;
  actor: Actor;
}

/** The `first_text` that stands for a message without text, by message type. */
const DEFAULT_TEXTS: Record<string, string> = { image: 'Image', frame: 'Frame' };

/** Returns the `first_text` of the conversation that a message opens, or undefined for an empty text message. */
export const firstTextOf = ({ text, type = 'text' }: { text?: string | null; type?: string }): string | undefined =>
  text || DEFAULT_TEXTS[type] || (type === 'text' ? undefined : type);

/** Returns the `first_text` of a conversation that this message opens. Throws 422 for an empty text message. */
export const requireFirstText = (incoming: IncomingMessage): string => {
  const text = firstTextOf(incoming);
  if (text) return text;
  throw new AppError(422, 'INVALID', 'text is required in the first message of a conversation').with({
    body: { errors: ['text is required'] },
  });
};

/** Returns the template variables of a conversation that does not exist yet: the fields that its visitor may see. */
const newConversationVariables = (
  key: ConversationKey,
  { language, subject, sourcePage, userAgent }: IncomingMessage,
) => ({ ...key, language, subject, sourcePage, userAgent });

/** Reads what templates need: the variable `request`, and the labels in the conversation's language. */
const readTemplateContext = async (key: ConversationKey, incoming: IncomingMessage) => {
  const stored = await lookUp(key);
  const request = stored
    ? visitorView(await teamView(stored, { live: false }))
    : newConversationVariables(key, incoming);
  return { request, fill: await labelFiller(key.id_project, request.language ?? incoming.language ?? '') };
};

/** Whether the text of a message is a template. */
export const isTemplate = ({ attributes }: IncomingMessage): boolean => attributes?.templateProcessor === true;

const hasMarkup = ({ attributes }: IncomingMessage): boolean => attributes?.microlanguage === true;

const parseMarkup = (incoming: IncomingMessage): IncomingMessage => {
  const { text, type, metadata, buttons } = microlanguage.parse(incoming.text ?? '');
  return {
    ...incoming,
    text,
    ...(type && { type, metadata }),
    attributes: {
      ...incoming.attributes,
      _raw_message: incoming.text,
      ...(buttons.length && { attachment: { type: 'template', buttons } }),
    },
  };
};

/**
 * Returns a function that renders the message texts of one call: first labels, then the template, then markup. The
 * template context is read once per call. Texts of visitors are not rendered. The function throws 422 for a template
 * that is invalid or exceeds its limits.
 */
export const textRenderer = (key: ConversationKey, actor: Actor) => {
  let context: ReturnType<typeof readTemplateContext> | undefined;
  return async (incoming: IncomingMessage): Promise<IncomingMessage> => {
    const { text } = incoming;
    if (!text || !isTeam(actor) || !(isTemplate(incoming) || hasMarkup(incoming) || text.includes('${')))
      return incoming;
    const { request, fill } = await (context ??= readTemplateContext(key, incoming));
    const textWithLabels = fill(text);
    const filled = {
      ...incoming,
      text: isTemplate(incoming) ? await renderTemplate(textWithLabels, { request }, key.id_project) : textWithLabels,
    };
    return hasMarkup(incoming) ? parseMarkup(filled) : filled;
  };
};

/** Builds the stored message. `createdAt` defaults to the current time. */
export const buildMessage = (
  { key, incoming, actor }: MessageContext,
  { _id, createdBy, createdAt = currentTime() }: { _id: string; createdBy: string; createdAt?: Date },
): StoredMessage => ({
  _id,
  id_project: key.id_project,
  recipient: key.request_id,
  sender: incoming.sender ?? actor.id,
  senderFullname: incoming.senderFullname ?? actor.fullname ?? DEFAULT_SENDER_NAME,
  text: incoming.text,
  type: incoming.type ?? 'text',
  metadata: incoming.metadata,
  attributes: incoming.attributes,
  language: incoming.language,
  channel: { name: incoming.channel?.name ?? 'chat21' },
  channel_type: 'group',
  status: incoming.status ?? MESSAGE_STATUS.sending,
  client_message_id: incoming.client_message_id,
  createdBy,
  createdAt,
  updatedAt: createdAt,
  __v: 0,
});

/** The commands in message texts. `posting/commands.ts` executes them. */
export const CLOSE_COMMAND = '\\close';
const AGENT_COMMAND = '\\agent';

/**
 * Whether a message contains a command. Bots do not receive commands. An email never contains a command, because its
 * text may contain paths such as `C:\agent`.
 */
export const isCommand = ({ text, channel }: { text?: string | null; channel?: { name: string } | null }): boolean =>
  text != null && channel?.name !== 'email' && (text.includes(CLOSE_COMMAND) || text.includes(AGENT_COMMAND));

/** The filter for messages without a command, as in `isCommand`. */
export const WITHOUT_COMMAND = { $or: [{ text: { $not: /\\(close|agent)/ } }, { 'channel.name': 'email' }] };

/**
 * Whether a message ends the waiting time of a conversation: `waiting_time` is not set (a new assignment removes it),
 * the message is not private, and its sender is not the visitor, but an agent of the conversation, or the caller if
 * this is a teammate.
 */
const isFirstResponse = (request: StoredConversation, { sender, attributes }: StoredMessage, actor: Actor): boolean =>
  request.waiting_time == null &&
  sender !== request.snapshot.lead?.lead_id &&
  !isPrivate({ attributes }) &&
  (request.participantsAgents.includes(sender) || (isTeam(actor) && actor.kind === 'user' && sender === actor.id));

/** Returns the changes to a conversation that a message causes, except `last_message`, or null if it causes none. */
export const messageEffects = (
  request: StoredConversation,
  message: StoredMessage,
  actor: Actor,
): Pick<ConversationUpdate, 'set' | 'events'> | null => {
  if (isFirstResponse(request, message, actor)) {
    const first_response_at = message.createdAt as Date;
    const waiting_time = Math.max(0, first_response_at.getTime() - request.createdAt.getTime());
    return { set: { first_response_at, waiting_time }, events: ['request.update'] };
  }
  if (request.workingStatus !== 'pending' || message.sender !== request.snapshot.lead?.lead_id) return null;
  return { set: { workingStatus: 'open' }, events: [['request.workingStatus.update', {}], 'request.update'] };
};

/** Throws 403 if the channel is `form`, `sender` is missing, and the caller is not a participant. */
export const assertSenderNamed = (
  { channel, participants }: StoredConversation,
  { sender }: IncomingMessage,
  actor: Actor,
): void => {
  if (channel.name !== 'form' || sender !== undefined || participants.includes(actor.id)) return;
  const text = 'sender is required, because the channel is `form` and you are not a participant of this conversation';
  throw new AppError(403, 'FORBIDDEN', text);
};

/** Throws 403 if the actor is a visitor and `sender` is not the actor's own id. */
export const assertSender = ({ sender }: IncomingMessage, actor: Actor): void => {
  if (!isTeam(actor) && sender !== undefined && sender !== actor.id)
    throw new AppError(403, 'FORBIDDEN', 'sender: a visitor can send messages only under their own id; omit `sender`');
};
