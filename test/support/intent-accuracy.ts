/** Measures the accuracy of intent matching with sets of utterances, such as those in `test/data/intents`. */
import { readFile } from 'node:fs/promises';
import { backgroundVectors } from '#shared/domain/bots/matching/background.ts';
import { PhraseIndex } from '#shared/domain/bots/matching/phrase-index.ts';
import type { Embedder } from '#shared/embedding/types.ts';

/** The bot of one language: training phrases and utterances (texts to match) by intent, and utterances without one. */
interface BotUtterances {
  intents: Record<string, { phrases: string[]; utterances: string[] }>;
  no_intent: string[];
}

/** An utterance with a wrong result: the wrong intent, no intent, or an intent although the utterance has none. */
export interface Miss {
  language: string;
  text: string;
  /** Undefined for an utterance without an intent. */
  intent?: string;
  matched?: string;
  /** How certain the matched intent is, from 0 to 1; 0.5 if none matched. */
  score: number;
}

/** Counts of one bot: right and wrong results for utterances with an intent, and rejected utterances without one. */
export interface Accuracy {
  utterances: number;
  right: number;
  wrong: number;
  noIntent: number;
  rejected: number;
  misses: Miss[];
}

/**
 * The sets of utterances in `test/data/intents` that were used to choose the parameters of intent matching; the `blind`
 * and `indirect` sets only after they had been used as blind sets.
 */
export const UTTERANCE_SETS = {
  tuning: new URL('../data/intents/tuning-set.json', import.meta.url),
  test: new URL('../data/intents/test-set.json', import.meta.url),
  blind: new URL('../data/intents/blind-set.json', import.meta.url),
  indirect: new URL('../data/intents/blind-set-2.json', import.meta.url),
};

/** Reads a set of utterances, by language. */
export const readUtterances = async (file: URL): Promise<Record<string, BotUtterances>> =>
  JSON.parse(await readFile(file, 'utf8'));

/** Measures the accuracy for one bot with the production threshold, below which the default intent replies. */
export const measureAccuracy = async (
  language: string,
  { intents, no_intent }: BotUtterances,
  model: Embedder | null,
): Promise<Accuracy> => {
  const embed = async (texts: string[]): Promise<(Float32Array | undefined)[]> =>
    model ? await model.embed(texts, { project: 'accuracy' }) : texts.map(() => undefined);
  const phrases = Object.entries(intents).flatMap(([intent, own]) => own.phrases.map((text) => ({ intent, text })));
  const vectors = await embed(phrases.map(({ text }) => text));
  const index = new PhraseIndex(
    phrases.map((phrase, n) => ({ ...phrase, vector: vectors[n] })),
    language,
    model ? await backgroundVectors(model, language, 'accuracy') : [],
  );
  const expected = [
    ...Object.entries(intents).flatMap(([intent, own]) => own.utterances.map((text) => ({ text, intent }))),
    ...no_intent.map((text) => ({ text, intent: undefined })),
  ];
  const corrected = expected.map(({ text }) => index.correctSpelling(text));
  const textVectors = await embed(corrected);
  const results = expected.map(({ text, intent }, n): Miss => {
    const [best] = index.match(corrected[n] ?? text, textVectors[n]);
    return { language, text, intent, matched: best?.intent, score: best?.score ?? 0.5 };
  });
  const ofIntents = results.filter(({ intent }) => intent !== undefined);
  return {
    utterances: ofIntents.length,
    right: ofIntents.filter(({ intent, matched }) => matched === intent).length,
    wrong: ofIntents.filter(({ intent, matched }) => matched !== undefined && matched !== intent).length,
    noIntent: no_intent.length,
    rejected: results.filter(({ intent, matched }) => intent === undefined && matched === undefined).length,
    misses: results.filter(({ intent, matched }) => matched !== intent),
  };
};

/** Adds up the counts of several bots. */
export const addUp = (all: Accuracy[]): Accuracy => ({
  utterances: all.reduce((sum, { utterances }) => sum + utterances, 0),
  right: all.reduce((sum, { right }) => sum + right, 0),
  wrong: all.reduce((sum, { wrong }) => sum + wrong, 0),
  noIntent: all.reduce((sum, { noIntent }) => sum + noIntent, 0),
  rejected: all.reduce((sum, { rejected }) => sum + rejected, 0),
  misses: all.flatMap(({ misses }) => misses),
});
