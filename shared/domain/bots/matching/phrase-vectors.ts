/** Stores the vectors of training phrases, so that each phrase is embedded once for all workers. */
import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Embedder } from '../../../embedding/types.ts';
import { insertMissing } from '../../../database/raw-write.ts';
import { Bot } from '../../../models/bot.ts';
import { Intent } from '../../../models/intent.ts';
import { IntentVector } from '../../../models/intent-vector.ts';
import { currentTime } from '../../../time/clock.ts';
import { isId } from '../../../wire/view.ts';

/** A bot of a project. */
interface PhraseOwner {
  id_project: string;
  bot: string;
}

const PHRASES_PER_BATCH = 16;

/** Returns the key of a phrase's vector, which depends on the model. */
const vectorKey = ({ bot }: PhraseOwner, model: Embedder, phrase: string): string =>
  `${bot} ${createHash('sha256').update(`${model.name} ${phrase}`).digest('base64url')}`;

const readPhrases = async ({ id_project, bot }: PhraseOwner): Promise<string[]> => {
  const intents = await Intent.find({ id_project, id_faq_kb: bot }, { question: 1 }).lean();
  const lines = intents.flatMap(({ question }) => (question ?? '').split('\n').map((line) => line.trim()));
  return [...new Set(lines)].filter(Boolean);
};

const toVector = ({ buffer, byteOffset, length }: Uint8Array): Float32Array =>
  new Float32Array(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);

/** Returns the stored vectors of a bot's phrases, by phrase. */
export const readVectors = async (owner: PhraseOwner, model: Embedder): Promise<Map<string, Float32Array>> => {
  const { id_project, bot } = owner;
  const stored = await IntentVector.find({ id_project, bot }, { vector: 1 }).lean<
    { _id: string; vector: { buffer: Uint8Array } }[]
  >();
  const byKey = new Map(stored.map(({ _id, vector }) => [_id, vector.buffer]));
  const phrases = await readPhrases(owner);
  return new Map(
    phrases.flatMap((phrase) => {
      const bytes = byKey.get(vectorKey(owner, model, phrase));
      return bytes ? [[phrase, toVector(bytes)] as const] : [];
    }),
  );
};

const storeVectors = async (owner: PhraseOwner, model: Embedder, phrases: string[]): Promise<void> => {
  const { id_project, bot } = owner;
  const vectors = await model.embed(phrases, { project: id_project });
  const now = currentTime();
  const records = phrases.map((phrase, index) => ({
    _id: vectorKey(owner, model, phrase),
    ...{ id_project, bot, createdAt: now, updatedAt: now, __v: 0 },
    vector: Buffer.from((vectors[index] as Float32Array).slice().buffer),
  }));
  await insertMissing(IntentVector, records);
};

/**
 * Embeds the phrases of a bot that have no vector yet, until all have one or `isTimeUp` returns true. `modelFor`
 * returns the model for the bot's language. Returns whether any phrase still lacks a vector; false if there is no
 * model.
 */
export const embedMissingPhrases = async (
  owner: PhraseOwner,
  modelFor: (language: string) => Embedder | null,
  isTimeUp: () => boolean,
): Promise<boolean> => {
  const { id_project, bot } = owner;
  const stored = isId(bot) ? await Bot.findOne({ id_project, _id: bot }, { language: 1 }).lean() : null;
  const model = stored && modelFor(stored.language);
  if (!model) return false;
  const embedded = await readVectors(owner, model);
  const missing = (await readPhrases(owner)).filter((phrase) => !embedded.has(phrase));
  while (missing.length && !isTimeUp()) {
    await storeVectors(owner, model, missing.splice(0, PHRASES_PER_BATCH));
    await yieldToEventLoop();
  }
  return missing.length > 0;
};
