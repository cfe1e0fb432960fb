/** Builds the replies of an internal bot from an intent: its answer, or its actions. */
import type { StoredIntent } from '#shared/domain/bots/intents.ts';
import { findByName, type MatchedBot } from '#shared/domain/bots/matching/intent-matcher.ts';
import { parse } from '#shared/domain/conversations/messages/microlanguage.ts';

/** A message of the bot. */
export interface BotReply {
  text?: string;
  type?: string;
  metadata?: Record<string, unknown>;
  attributes?: Record<string, unknown>;
  language?: string;
}

/** Looks up an answer in a knowledge base; returns null if it has none. */
export type AskKnowledgeBase = (namespace: string) => Promise<BotReply | null>;

/** Lets the webhook of the bot replace the text of an answer; returns null to keep it. */
export type FulfilAnswer = (intent: StoredIntent, answer: string) => Promise<BotReply | null>;

/** The bot of an intent, and the external calls that its replies may need. */
export interface IntentEffects {
  bot: MatchedBot;
  askKnowledgeBase: AskKnowledgeBase;
  fulfil: FulfilAnswer;
}

type Action = Record<string, unknown>;

const AGENT_COMMAND = '\\agent';
const CLOSE_COMMAND = '\\close';
const COMMANDS = [CLOSE_COMMAND, AGENT_COMMAND];
/** Maximum number of jumps between intents, so that intents that refer to each other do not loop forever. */
const MAX_JUMPS = 10;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** Moves the command of a reply to a separate, last message, because the command ends the bot's participation. */
const splitCommand = (reply: BotReply): BotReply[] => {
  const command = COMMANDS.find((each) => reply.text?.includes(each));
  if (!command) return [reply];
  const rest = COMMANDS.reduce((text, each) => text.replaceAll(each, ''), reply.text ?? '').trim();
  const commandReply = { text: command, attributes: { subtype: 'info' } };
  return rest || reply.type ? [{ ...reply, text: rest || undefined }, commandReply] : [commandReply];
};

/** Parses the markup of an answer: images, iframes, buttons and commands. */
export const parseAnswer = ({ text: markup = '', ...reply }: BotReply): BotReply[] => {
  const { text, type, metadata, buttons } = parse(markup);
  const attachment = buttons.length && { attachment: { type: 'template', buttons } };
  return splitCommand({
    ...reply,
    text,
    ...(type && { type, metadata }),
    attributes: { ...reply.attributes, _raw_message: markup, ...attachment },
  });
};

const messageReply = (message: Record<string, unknown>): BotReply[] => {
  const [text, type] = [textOf(message.text), textOf(message.type)];
  const reply = { text, type, metadata: objectOf(message.metadata), attributes: objectOf(message.attributes) };
  return text || type ? splitCommand(reply) : [];
};

/** Returns the messages of a reply action: those in `attributes.commands` or, if there are none, its text. */
const actionReplies = ({ attributes, text }: Action): BotReply[] => {
  const { commands } = objectOf(attributes) ?? {};
  const list: unknown[] = Array.isArray(commands) ? commands : [];
  const messages = list.flatMap((command) => {
    const message = objectOf(objectOf(command)?.message);
    return message ? [message] : [];
  });
  return messages.length ? messages.flatMap(messageReply) : messageReply({ text });
};

/** The result of an action: its replies, the intent to continue with, and whether the remaining actions are skipped. */
interface ActionResult {
  replies: BotReply[];
  next?: string;
  isDone?: boolean;
}

const runAction = async (action: Action, { askKnowledgeBase }: IntentEffects): Promise<ActionResult> => {
  switch (action._tdActionType) {
    case 'reply':
      return { replies: actionReplies(action) };
    case 'intent':
      return { replies: [], next: textOf(action.intentName), isDone: true };
    case 'agent':
      return { replies: [{ text: AGENT_COMMAND, attributes: { subtype: 'info' } }], isDone: true };
    case 'close':
      return { replies: [{ text: CLOSE_COMMAND, attributes: { subtype: 'info' } }], isDone: true };
    case 'askgptv2': {
      const answer = await askKnowledgeBase(textOf(action.namespace) ?? '');
      const next = textOf(answer ? action.trueIntent : action.falseIntent);
      return { replies: answer ? [answer] : [], next, isDone: Boolean(answer || next) };
    }
    default:
      return { replies: [] };
  }
};

/** Runs actions in order, until one of them ends the intent. */
const runActions = async (actions: Action[], effects: IntentEffects): Promise<ActionResult> => {
  const replies: BotReply[] = [];
  for (const action of actions) {
    const result = await runAction(action, effects);
    replies.push(...result.replies);
    if (result.isDone) return { ...result, replies };
  }
  return { replies };
};

const isQuestion = ({ _tdActionType }: Action): boolean => _tdActionType === 'askgptv2';

const staticReplies = async (intent: StoredIntent, { fulfil }: IntentEffects): Promise<BotReply[]> => {
  const answer = intent.answer ?? '';
  const fulfilled = await fulfil(intent, answer);
  if (fulfilled) return parseAnswer(fulfilled);
  if (answer) return parseAnswer({ text: answer.replace(/^\\webhook(:\S+)?\s*$/gm, '').trim() });
  return intent.reply ? messageReply(intent.reply) : [];
};

/**
 * Returns the replies of an intent. For an intent with an answer, only actions that query a knowledge base are run, and
 * the webhook of the bot may replace the answer. Actions may continue with another intent.
 */
export const buildReplies = async (
  intent: StoredIntent,
  effects: IntentEffects,
  jumpsLeft = MAX_JUMPS,
): Promise<BotReply[]> => {
  const actions = (intent.actions ?? []).filter((action) => !intent.answer || isQuestion(action));
  const { replies, next, isDone } = await runActions(actions, effects);
  const target = next && jumpsLeft ? await findByName(effects.bot, next.replace(/^#/, '')) : undefined;
  if (target) return [...replies, ...(await buildReplies(target, effects, jumpsLeft - 1))];
  return isDone ? replies : [...replies, ...(await staticReplies(intent, effects))];
};
