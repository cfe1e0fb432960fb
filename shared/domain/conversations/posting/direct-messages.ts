/** Direct messages: messages from the team to one person or bot of the project, outside conversations. */
import { newId } from '../../../context.ts';
import { runOrFindEarlier } from '../../../database/run-or-find-earlier.ts';
import { emits } from '../../../events.ts';
import { countRecords } from '../../../database/raw-read.ts';
import { invalidField } from '../../../errors.ts';
import { Bot } from '../../../models/bot.ts';
import { Lead } from '../../../models/lead.ts';
import { Message } from '../../../models/message.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../../models/project-user.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import { isId } from '../../../wire/view.ts';
import { chargeMessages, type QuotaCharge, withQuota } from '../../quotas/charge.ts';
import { BOT_PREFIX, isBot } from '../participants.ts';
import { labelFiller } from '../catalogue/labels.ts';
import { type Actor, lookUp } from '../conversation.ts';
import { buildMessage } from '../messages/build-message.ts';
import { bytesOf } from '../messages/message-limits.ts';
import type { IncomingMessage } from '../new-conversation.ts';
import { read, type StoredMessage } from '../messages/messages.ts';
import { post } from './post-message.ts';

/** A message with its recipient. */
export interface AddressedMessage extends IncomingMessage {
  recipient: string;
  recipientFullname: string;
}

const isProjectBot = async (id_project: string, _id: string): Promise<boolean> =>
  isId(_id) && (await countRecords(Bot, { id_project, _id, trashed: false })) > 0;

/** Whether an id belongs to a bot, an active member (by user or visitor id) or a lead of the project. */
const isKnownRecipient = async (id_project: string, id: string): Promise<boolean> => {
  if (isBot(id)) return isProjectBot(id_project, id.slice(BOT_PREFIX.length));
  const userFilter = isId(id) ? { id_user: id } : { uuid_user: id };
  return (
    (await countRecords(ProjectUser, { id_project, ...ACTIVE_MEMBER, ...userFilter })) > 0 ||
    (await countRecords(Lead, { id_project, lead_id: id })) > 0
  );
};

/** Returns the id of the message if an earlier call with the same `Idempotency-Key` has stored it, otherwise null. */
const findEarlier = async (id_project: string, _id: string, charge: QuotaCharge): Promise<string | null> => {
  if (!(await countRecords(Message, { id_project, _id }))) return null;
  await charge.refund(); // the earlier call was counted toward the quotas and the byte budget
  return _id;
};

const CONVERSATION_ONLY_OPTIONS = ['templateProcessor', 'microlanguage'];

/**
 * Sends a direct message. A repeat with the same `Idempotency-Key` returns the stored message.
 * Errors: 422 for a recipient outside the project and for attributes that only messages to conversations support, 403
 * if a plan limit has been reached, 429 if the project has used up its byte budget.
 */
export const postDirect = async (
  id_project: string,
  { recipientFullname, ...incoming }: AddressedMessage,
  actor: Actor,
): Promise<StoredMessage> => {
  const { recipient, language = '', text } = incoming;
  const option = CONVERSATION_ONLY_OPTIONS.find((name) => incoming.attributes?.[name]);
  if (option) throw invalidField(`attributes.${option}`, 'is supported only in messages to conversations; remove it');
  if (!compatibility.acceptsUnknownParticipants && !(await isKnownRecipient(id_project, recipient)))
    throw invalidField('recipient', `${recipient} is not a member, bot or lead of this project`);
  const [_id, createdBy] = [newId(), incoming.sender ?? actor.id];
  const filledText = text?.includes('${') ? (await labelFiller(id_project, language))(text) : text;
  const message = buildMessage(
    { key: { id_project, request_id: recipient }, incoming: { ...incoming, text: filledText }, actor },
    { _id, createdBy },
  );
  const direct = { ...message, recipientFullname, channel_type: 'direct' };
  await withQuota((charge) => {
    const store = async (): Promise<string> => {
      charge.addBytes(id_project, bytesOf(incoming));
      const quotaEvents = await chargeMessages(charge, id_project, [message]);
      await Message.create([direct], emits('message.create', ...quotaEvents));
      return _id;
    };
    return runOrFindEarlier(store, () => findEarlier(id_project, _id, charge));
  });
  return read(id_project, _id);
};

/** Posts a message to an existing conversation. Throws 422 if the recipient is not a conversation of the project. */
export const postToConversation = async (
  id_project: string,
  { recipient, ...incoming }: AddressedMessage,
  actor: Actor,
): Promise<StoredMessage> => {
  const key = { id_project, request_id: recipient };
  if (!(await lookUp(key))) throw invalidField('recipient', `${recipient} is not a conversation of this project`);
  return (await post(key, incoming, actor)).message;
};
