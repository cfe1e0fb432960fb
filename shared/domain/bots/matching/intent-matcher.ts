/** Finds the intents that match a text: the one with a phrase that equals the text, or those with similar phrases. */
import { LRUCache } from 'lru-cache';
import { onNewPrimary } from '../../../database/new-primary.ts';
import { Intent } from '../../../models/intent.ts';
import { type Embedder, intentEmbedder } from '../../../embedding/embedder.ts';
import { logger } from '../../../logger.ts';
import { enqueue } from '../../../queue/queue.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { INTENT_FIELDS, type StoredIntent } from '../intents.ts';
import { backgroundVectors } from './background.ts';
import { type Phrase, PhraseIndex } from './phrase-index.ts';
import { readVectors } from './phrase-vectors.ts';
import { foldedWords } from './words.ts';

/** A bot, its language, and the version of its intents. */
export interface MatchedBot {
  id_project: string;
  bot: string;
  language: string;
  version: number;
}

/** An intent that may match a text, with a score of at most 100. An exact match scores 100. */
export interface IntentHit {
  intent: StoredIntent;
  score: number;
}

/** The intents of a bot, prepared for matching. */
interface LoadedBot {
  version: number;
  language: string;
  loadedAt: number;
  intents: StoredIntent[];
  byPhrase: Map<string, StoredIntent>;
  byName: Map<string, StoredIntent>;
  index: PhraseIndex;
}

/**
 * Maximum number of phrases that a process caches; beyond it, the bots that were matched least recently are removed.
 * The vector of one phrase takes up to 5 KB.
 */
const MAX_LOADED_PHRASES = 20_000;
/** Maximum age of a cached phrase index in which some phrases lack their vectors. */
const INCOMPLETE_INDEX_MS = 2000;
const EXACT_SCORE = 100;

const loaded = new LRUCache<string, LoadedBot>({
  maxSize: MAX_LOADED_PHRASES,
  sizeCalculation: ({ byPhrase }) => byPhrase.size + 1,
});

/** After MongoDB has elected another primary, the same version of a bot may have different intents than before. */
onNewPrimary(() => loaded.clear());

/**
 * Whether texts are compared with a phrase by similarity. Commands such as `\start`, and the phrase of the default
 * intent (which replies if no other intent matches), match only exactly.
 */
const isTrainingPhrase = (phrase: string): boolean => !phrase.startsWith('\\') && phrase !== 'defaultFallback';

const phrasesOf = ({ question }: StoredIntent): string[] =>
  (question ?? '')
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** Returns the words of a text in lower case and without accents. A command such as `\start` is only trimmed. */
const exactKey = (text: string): string => {
  const trimmed = text.trim();
  return trimmed.startsWith('\\') ? trimmed : foldedWords(trimmed).join(' ') || trimmed;
};

const indexByPhrase = (intents: StoredIntent[]): Map<string, StoredIntent> => {
  const byPhrase = new Map<string, StoredIntent>();
  const addPhrase = (phrase: string, intent: StoredIntent) => {
    const key = exactKey(phrase);
    if (!byPhrase.has(key)) byPhrase.set(key, intent);
  };
  for (const intent of intents) if (intent.question) addPhrase(intent.question, intent);
  for (const intent of intents) for (const phrase of phrasesOf(intent)) addPhrase(phrase, intent);
  return byPhrase;
};

/** Returns the vectors of the bot's phrases and of the background sentences, or undefined if the model fails. */
const loadVectors = async (bot: MatchedBot, model: Embedder) => {
  try {
    return {
      byPhrase: await readVectors(bot, model),
      background: await backgroundVectors(model, bot.language, bot.id_project),
    };
  } catch (error) {
    logger.warn({ err: error }, 'reading the vectors of intents failed; intents are found by words');
    return undefined;
  }
};

const buildIndex = async (bot: MatchedBot, intents: StoredIntent[]): Promise<PhraseIndex> => {
  const model = intentEmbedder(bot.language);
  const vectors = model ? await loadVectors(bot, model) : undefined;
  const phrases: Phrase[] = intents.flatMap((intent) =>
    phrasesOf(intent)
      .filter(isTrainingPhrase)
      .map((text) => ({ intent: String(intent._id), text, vector: vectors?.byPhrase.get(text) })),
  );
  const index = new PhraseIndex(phrases, bot.language, vectors?.background);
  if (model && !index.hasVectors) await enqueue('bulk.embed-phrases', { id_project: bot.id_project, bot: bot.bot });
  return index;
};

const load = async (bot: MatchedBot): Promise<LoadedBot> => {
  const filter = { id_project: bot.id_project, id_faq_kb: bot.bot };
  const all = (await Intent.find(filter, INTENT_FIELDS).sort({ _id: 1 }).lean()) as StoredIntent[];
  const intents = all.filter(({ enabled }) => enabled);
  return {
    ...{ version: bot.version, language: bot.language, loadedAt: currentTimeMs(), intents },
    byPhrase: indexByPhrase(intents),
    byName: new Map(intents.flatMap((intent) => namesOf(intent).map((name) => [name, intent]))),
    index: await buildIndex(bot, intents),
  };
};

const namesOf = ({ _id, intent_id, intent_display_name }: StoredIntent): string[] => [
  intent_display_name,
  intent_id,
  String(_id),
];

const isCurrent = ({ version, language, loadedAt, index }: LoadedBot, bot: MatchedBot): boolean =>
  version === bot.version &&
  language === bot.language &&
  (index.hasVectors || !intentEmbedder(language) || currentTimeMs() - loadedAt < INCOMPLETE_INDEX_MS);

/** Returns the bot's intents. They are cached, and read again after a change. */
const currentIntents = async (bot: MatchedBot): Promise<LoadedBot> => {
  const cached = loaded.get(bot.bot);
  if (cached && isCurrent(cached, bot)) return cached;
  const fresh = await load(bot);
  loaded.set(bot.bot, fresh);
  return fresh;
};

/** Returns the bot's enabled intent with this id, `intent_id` or name, if there is one. */
export const findByName = async (bot: MatchedBot, name: string): Promise<StoredIntent | undefined> =>
  (await currentIntents(bot)).byName.get(name);

/** Embeds a text. Returns undefined if there is no model or the model fails; intents are then found by words. */
const embedText = async (text: string, { id_project, language }: MatchedBot): Promise<Float32Array | undefined> => {
  const model = intentEmbedder(language);
  if (!model) return undefined;
  try {
    const [vector] = await model.embed([text], { project: id_project, priority: true });
    return vector;
  } catch (error) {
    logger.warn({ err: error }, 'embedding the text of a visitor failed; its intent is found by words');
    return undefined;
  }
};

/** Returns the intent with a phrase that equals the text, apart from case, accents and punctuation. */
export const matchExactly = async (bot: MatchedBot, text: string): Promise<StoredIntent | undefined> =>
  (await currentIntents(bot)).byPhrase.get(exactKey(text));

/** Returns the intent with a phrase that equals the text, otherwise the intents with similar phrases, best first. */
export const matchIntents = async (bot: MatchedBot, text: string): Promise<IntentHit[]> => {
  const exact = await matchExactly(bot, text);
  if (exact) return [{ intent: exact, score: EXACT_SCORE }];
  const { index, byName } = await currentIntents(bot);
  const corrected = index.correctSpelling(text);
  const vector = index.hasVectors ? await embedText(corrected, bot) : undefined;
  return index.match(corrected, vector).flatMap(({ intent, score }) => {
    const found = byName.get(intent);
    return found ? [{ intent: found, score: Math.round(score * EXACT_SCORE * 10) / 10 }] : [];
  });
};
