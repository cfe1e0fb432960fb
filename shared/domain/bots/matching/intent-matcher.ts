/** Finds the intent of a text: one with exactly this phrase, or the most similar one. */
import { LRUCache } from 'lru-cache';
import { Intent } from '../../../models/intent.ts';
import { type Embedder, intentEmbedder } from '../../../embedding/embedder.ts';
import { logger } from '../../../logger.ts';
import { enqueue } from '../../../queue/queue.ts';
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

/** An intent that a text may have, and how certain that is: 100 for an exact match, otherwise less. */
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

/** The vectors of a phrase take 4 KB. */
const MAX_LOADED_PHRASES = 20_000;
/** How long an index is used while vectors of its phrases are missing. */
const INCOMPLETE_INDEX_MS = 2000;
const EXACT_SCORE = 100;

const loaded = new LRUCache<string, LoadedBot>({
  maxSize: MAX_LOADED_PHRASES,
  sizeCalculation: ({ byPhrase }) => byPhrase.size + 1,
});

/** The default intent and commands such as `\start` match only exactly. */
const isTrainingPhrase = (phrase: string): boolean => !phrase.startsWith('\\') && phrase !== 'defaultFallback';

const phrasesOf = ({ question }: StoredIntent): string[] =>
  (question ?? '')
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** The words of a text as one text, so that case, accents and punctuation do not matter; commands stay as they are. */
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

/** Returns the vectors of the bot's phrases and of the background; undefined if the model fails. */
const loadVectors = async (bot: MatchedBot, model: Embedder) => {
  try {
    return {
      byPhrase: await readVectors(bot, model),
      background: await backgroundVectors(model, bot.language, bot.id_project),
    };
  } catch (error) {
    logger.warn({ err: error }, 'no vectors to find intents with; they are found by words');
    return undefined;
  }
};

const buildIndex = async (bot: MatchedBot, intents: StoredIntent[]): Promise<PhraseIndex> => {
  const model = intentEmbedder();
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
    ...{ version: bot.version, language: bot.language, loadedAt: Date.now(), intents },
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
  (index.hasVectors || !intentEmbedder() || Date.now() - loadedAt < INCOMPLETE_INDEX_MS);

/** Returns the bot's intents, which are read again when they have changed. */
const currentIntents = async (bot: MatchedBot): Promise<LoadedBot> => {
  const cached = loaded.get(bot.bot);
  if (cached && isCurrent(cached, bot)) return cached;
  const fresh = await load(bot);
  loaded.set(bot.bot, fresh);
  return fresh;
};

/** Returns the intent with this id, `intent_id` or name, if the bot has one that is enabled. */
export const findByName = async (bot: MatchedBot, name: string): Promise<StoredIntent | undefined> =>
  (await currentIntents(bot)).byName.get(name);

/** Embeds a text; undefined without a model, or if the model fails, because words are then enough. */
const embedText = async (text: string, { id_project }: MatchedBot): Promise<Float32Array | undefined> => {
  const model = intentEmbedder();
  if (!model) return undefined;
  try {
    const [vector] = await model.embed([text], { project: id_project, priority: true });
    return vector;
  } catch (error) {
    logger.warn({ err: error }, 'text of a visitor not embedded; its intent is found by words');
    return undefined;
  }
};

/** Returns the intent with exactly this phrase, apart from case, accents and punctuation. */
export const matchExactly = async (bot: MatchedBot, text: string): Promise<StoredIntent | undefined> =>
  (await currentIntents(bot)).byPhrase.get(exactKey(text));

/** Returns the intents that a text may have, best first: the one with exactly this phrase, or the similar ones. */
export const matchIntents = async (bot: MatchedBot, text: string): Promise<IntentHit[]> => {
  const exact = await matchExactly(bot, text);
  if (exact) return [{ intent: exact, score: EXACT_SCORE }];
  const { index, byName } = await currentIntents(bot);
  const vector = index.hasVectors ? await embedText(text, bot) : undefined;
  return index.match(text, vector).flatMap(({ intent, score }) => {
    const found = byName.get(intent);
    return found ? [{ intent: found, score: Math.round(score * EXACT_SCORE * 10) / 10 }] : [];
  });
};
