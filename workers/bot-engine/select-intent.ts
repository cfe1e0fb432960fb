/** Selects the intent with which an internal bot replies to a message. */
import type { LoadedCall } from '#shared/domain/conversations/bots/bot-calls.ts';
import { isStartCommand } from '#shared/domain/conversations/bots/bot-calls.ts';
import type { StoredIntent } from '#shared/domain/bots/intents.ts';
import {
  findByName,
  type IntentHit,
  type MatchedBot,
  matchExactly,
  matchIntents,
} from '#shared/domain/bots/matching/intent-matcher.ts';
import { DEFAULT_INTENT, START_QUESTION } from '#shared/domain/bots/templates/chat.ts';

/**
 * The intent of a message, with a confidence from 0 to 100. Without an intent, the bot replies that it does not know
 * the answer.
 */
export interface IntentChoice {
  intent?: StoredIntent;
  confidence: number;
  /** Whether no intent matched, so that the bot replies with its default intent. */
  isFallback: boolean;
  /** The names of other intents that match. */
  others: string[];
}

const MAX_OTHERS = 5;
const MAX_CONFIDENCE = 100;

/**
 * Returns the id of the published copy, or of the bot itself if it has no such copy or the conversation is in draft
 * mode, which is for testing a bot before its publication.
 */
const answeringId = ({ bot, request }: LoadedCall): string => {
  const isDraft = (request as { draft?: boolean | null } | null)?.draft === true;
  return bot.published_id && !isDraft ? bot.published_id : String(bot._id);
};

/** Returns the bot or published copy whose intents are matched against a message. */
export const matchedBotOf = (loaded: LoadedCall): MatchedBot => {
  const { id_project, language, intents_version } = loaded.bot;
  return { id_project, bot: answeringId(loaded), language, version: intents_version ?? 0 };
};

/** The id, `intent_id` or name of the intent that the conversation or a button refers to. */
const namedIntent = ({ message, request }: LoadedCall): string | undefined => {
  const { blocked_intent } = (request?.attributes ?? {}) as { blocked_intent?: unknown };
  const { action } = (message.attributes ?? {}) as { action?: unknown };
  const name = blocked_intent || action;
  return typeof name === 'string' ? name.split('?')[0]?.replace(/^#/, '') : undefined;
};

const certainChoice = (intent: StoredIntent): IntentChoice => ({
  intent,
  confidence: MAX_CONFIDENCE,
  isFallback: false,
  others: [],
});

const bestOf = ([best, ...others]: IntentHit[]): IntentChoice | null =>
  best
    ? {
        intent: best.intent,
        confidence: best.score,
        isFallback: false,
        others: others.slice(0, MAX_OTHERS).map(({ intent }) => intent.intent_display_name),
      }
    : null;

/** Selects the start intent. A bot without a start intent does not reply to the start command. */
const selectStart = async (bot: MatchedBot): Promise<IntentChoice | null> => {
  const start = await matchExactly(bot, START_QUESTION);
  return start ? certainChoice(start) : null;
};

/**
 * Selects the intent of a message: the named intent, an intent that has the text as a phrase, the most similar intent,
 * or the default intent. Returns null for the start command if there is no start intent; the bot then sends no reply.
 */
export const selectIntent = async (loaded: LoadedCall): Promise<IntentChoice | null> => {
  const bot = matchedBotOf(loaded);
  const name = namedIntent(loaded);
  const named = name && (await findByName(bot, name));
  if (named) return certainChoice(named);
  const text = loaded.message.text ?? '';
  if (isStartCommand(text)) return selectStart(bot);
  const best = text.trim() ? bestOf(await matchIntents(bot, text)) : null;
  if (best) return best;
  const intent = (await matchExactly(bot, DEFAULT_INTENT)) ?? (await findByName(bot, DEFAULT_INTENT));
  return { intent, confidence: 0, isFallback: true, others: [] };
};
