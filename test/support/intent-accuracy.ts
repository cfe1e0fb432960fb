/** Measures the matching of intents with the sets in `test/data/intents`. */
import { readFile } from 'node:fs/promises';
import { backgroundVectors } from '#shared/domain/bots/matching/background.ts';
import { embeddedText } from '#shared/domain/bots/matching/gloss.ts';
import { PhraseIndex } from '#shared/domain/bots/matching/phrase-index.ts';
import type { Embedder } from '#shared/embedding/types.ts';

/** The bot of one language: phrases and utterances by intent, and utterances of no intent. */
interface BotUtterances {
  intents: Record<string, { phrases: string[]; utterances: string[] }>;
  no_intent: string[];
}

/** Counts of one bot: right and wrong intents, and utterances of no intent that match none. */
export interface Accuracy {
  utterances: number;
  right: number;
  wrong: number;
  noIntent: number;
  rejected: number;
}

/** The files of utterances: the settings of the matching are chosen with the tuning set and not with the test set. */
export type UtteranceSet = 'test-set' | 'tuning-set';

/** Reads a set of utterances, by language. */
export const readUtterances = async (set: UtteranceSet): Promise<Record<string, BotUtterances>> =>
  JSON.parse(await readFile(new URL(`../data/intents/${set}.json`, import.meta.url), 'utf8'));

/** Measures the matching of one bot as visitors see it: with the threshold below which the default intent replies. */
export const measureAccuracy = async (
  language: string,
  { intents, no_intent }: BotUtterances,
  model: Embedder | null,
): Promise<Accuracy> => {
  const embed = async (texts: string[]): Promise<(Float32Array | undefined)[]> => {
    if (!model) return texts.map(() => undefined);
    return await model.embed(
      texts.map((text) => embeddedText(text, language, model)),
      { project: 'accuracy' },
    );
  };
  const phrases = Object.entries(intents).flatMap(([intent, own]) => own.phrases.map((text) => ({ intent, text })));
  const vectors = await embed(phrases.map(({ text }) => text));
  const index = new PhraseIndex(
    phrases.map((phrase, n) => ({ ...phrase, vector: vectors[n] })),
    language,
    model ? await backgroundVectors(model, 'accuracy') : [],
  );
  const matchAll = async (texts: string[]) => {
    const textVectors = await embed(texts);
    return texts.map((text, n) => index.match(text, textVectors[n])[0]?.intent);
  };
  const accuracy = { utterances: 0, right: 0, wrong: 0, noIntent: no_intent.length, rejected: 0 };
  for (const [intent, { utterances }] of Object.entries(intents)) {
    const matched = await matchAll(utterances);
    accuracy.utterances += utterances.length;
    accuracy.right += matched.filter((each) => each === intent).length;
    accuracy.wrong += matched.filter((each) => each !== undefined && each !== intent).length;
  }
  accuracy.rejected = (await matchAll(no_intent)).filter((each) => each === undefined).length;
  return accuracy;
};
