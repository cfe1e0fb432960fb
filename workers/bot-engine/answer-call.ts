/** Answers a message as an internal bot. */
import { withIdempotentIds } from '#shared/context.ts';
import type { TakenBotCall } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import type { LoadedCall } from '#shared/domain/conversations/bots/bot-calls.ts';
import { isDirect } from '#shared/domain/conversations/messages/messages.ts';
import { BOT_PREFIX } from '#shared/domain/conversations/participants.ts';
import { postDirect, postToConversation } from '#shared/domain/conversations/posting/direct-messages.ts';
import { emit } from '#shared/domain/events/custom-events.ts';
import { askKnowledgeBase } from './ask-knowledge-base.ts';
import { type BotReply, buildReplies } from './build-replies.ts';
import { callWebhook } from './call-webhook.ts';
import { type IntentChoice, matchedBotOf, selectIntent } from './select-intent.ts';

const NOT_FOUND_EVENT = 'faqbot.answer_not_found';
/** The name of the default intent in `attributes.intent_info` of a reply. Clients of the API depend on this name. */
const FALLBACK_NAME_ON_WIRE = 'DEFAULT_FALLBACK';
/** The reply of a bot whose default intent is missing or has no reply, by the language of the message. */
const BUILT_IN_REPLY: Record<string, string> = {
  en: "Sorry, I don't know the answer to that.",
  it: 'Mi dispiace, non so rispondere a questa domanda.',
  de: 'Das weiß ich leider nicht.',
};

/** Emits `faqbot.answer_not_found`. Every attempt at a call emits the event with the same id. */
const emitNotFound = async (call: TakenBotCall, { bot, message }: LoadedCall, replies: BotReply[]): Promise<void> => {
  const { _id, name, id_project } = bot;
  const { _id: messageId, text, sender, recipient, attributes } = message;
  const event = {
    botAnswer: { text: replies[0]?.text },
    bot: { _id: String(_id), name },
    message: { _id: String(messageId), text, sender, recipient, attributes: attributes ?? undefined },
  };
  await withIdempotentIds(`${NOT_FOUND_EVENT} ${call._id}`, () =>
    emit(id_project, { name: NOT_FOUND_EVENT, attributes: event }, { id: 'system' }),
  );
};

const languageOf = ({ message, request, bot }: LoadedCall): string =>
  (message.language ?? request?.language ?? bot.language).split(/[-_]/)[0]?.toLowerCase() ?? '';

const defaultReply = (loaded: LoadedCall): BotReply => ({
  text: BUILT_IN_REPLY[languageOf(loaded)] ?? BUILT_IN_REPLY.en,
});

const repliesTo = async (loaded: LoadedCall, { intent, isFallback }: IntentChoice): Promise<BotReply[]> => {
  if (!intent) return [defaultReply(loaded)];
  const { id_project } = loaded.bot;
  const { text, recipient, sender } = loaded.message;
  const effects = {
    bot: matchedBotOf(loaded),
    askKnowledgeBase: (namespace: string) =>
      askKnowledgeBase({ id_project, namespace }, { question: text ?? '', request_id: recipient, sender }),
    fulfil: (asked: typeof intent, answer: string) => callWebhook(loaded, asked, answer),
  };
  const replies = await buildReplies(intent, effects);
  return isFallback && !replies.length ? [defaultReply(loaded)] : replies;
};

const intentInfo = ({ message }: LoadedCall, { intent, isFallback, confidence, others }: IntentChoice) => ({
  ...(intent && { _answerid: String(intent._id) }),
  intent_info: {
    intent_name: isFallback ? FALLBACK_NAME_ON_WIRE : intent?.intent_display_name,
    is_fallback: isFallback,
    confidence,
    question_payload: { text: message.text },
    others,
  },
});

/**
 * Posts the replies in order. Their ids derive from the id of the call, so that another attempt posts only the replies
 * that are missing.
 */
const postReplies = async (call: TakenBotCall, loaded: LoadedCall, replies: BotReply[]): Promise<void> => {
  const { bot, message } = loaded;
  const { id_project, name } = bot;
  const actor = { kind: 'bot', id: String(bot._id), fullname: name };
  for (const [index, reply] of replies.entries()) {
    const incoming = { ...reply, sender: `${BOT_PREFIX}${actor.id}`, client_message_id: `${call._id} ${index}` };
    if (isDirect(message)) {
      const recipient = { recipient: message.sender, recipientFullname: message.senderFullname ?? '' };
      await withIdempotentIds(`${call._id} ${index}`, () =>
        postDirect(id_project, { ...incoming, ...recipient }, actor),
      );
    } else
      await postToConversation(id_project, { ...incoming, recipient: message.recipient, recipientFullname: '' }, actor);
  }
};

/** Replies to a message as an internal bot. Repeated attempts at the same call post each reply only once. */
export const answerCall = async (call: TakenBotCall, loaded: LoadedCall): Promise<void> => {
  const choice = await selectIntent(loaded);
  if (!choice) return;
  const info = intentInfo(loaded, choice);
  const replies = (await repliesTo(loaded, choice)).map((reply) => ({
    ...reply,
    attributes: { ...info, ...reply.attributes },
  }));
  await postReplies(call, loaded, replies);
  if (choice.isFallback) await emitNotFound(call, loaded, replies);
};
