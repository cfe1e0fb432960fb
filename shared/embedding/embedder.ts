/** Chooses the embedding models: the provider's models, the local models, or none (full text only). */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import { languageCode } from '#shared/search/language-code.ts';
import { joinedEmbedder } from './joined-embedder.ts';
import { ENGLISH_MODEL, intentEncoder, localEmbedder } from './local-embedder.ts';
import { remoteEmbedder } from './remote-embedder.ts';
import type { Embedder } from './types.ts';

export type { Embedder } from './types.ts';

/** The settings that determine the embedder. */
export type EmbedderSettings = Pick<
  typeof config,
  | 'DATA_DIR'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'EMBEDDING_MODEL'
  | 'EMBEDDING_DIMENSION'
  | 'EMBEDDING_MODEL_FILE'
  | 'AI_TIMEOUT_SECONDS'
  | 'AI_MAX_RETRY_WAIT_SECONDS'
>;

const hasOnnxRuntime = () => {
  try {
    return Boolean(createRequire(import.meta.url).resolve('onnxruntime-node'));
  } catch {
    return false; // the package is an optional dependency that has no build for some platforms
  }
};

const findModelFile = ({ EMBEDDING_MODEL_FILE, DATA_DIR }: EmbedderSettings) => {
  if (EMBEDDING_MODEL_FILE === 'off') return undefined;
  const file = EMBEDDING_MODEL_FILE ?? join(DATA_DIR, 'model', 'model.onnx');
  if (existsSync(file) && hasOnnxRuntime()) return file;
  if (EMBEDDING_MODEL_FILE)
    logger.warn({ file }, 'EMBEDDING_MODEL_FILE cannot be used: the file or the onnxruntime-node package is missing');
  return undefined;
};

/** Creates the configured embedder. Returns null if no model is configured; search then uses full text only. */
export const createEmbedder = (settings: EmbedderSettings): Embedder | null => {
  const provider = settings.OPENAI_BASE_URL ?? settings.OPENAI_API_KEY;
  if (provider && settings.EMBEDDING_MODEL)
    return remoteEmbedder({ ...settings, EMBEDDING_MODEL: settings.EMBEDDING_MODEL });
  const file = findModelFile(settings);
  return file ? localEmbedder(file) : null;
};

/** Identifies a model. Vectors can be compared only with vectors of the same model. */
export type ModelReference = Pick<Embedder, 'provider' | 'name' | 'dimension'>;

/** Returns a string that identifies a model. Models with the same name but another dimension are different models. */
export const modelKey = ({ provider, name, dimension }: ModelReference): string => `${provider}/${name}/${dimension}`;

/** Creates the embedder of a model that may not be the configured one; null if this installation lacks the model. */
const createEmbedderOf = (model: ModelReference): Embedder | null => {
  const { provider, name, dimension } = model;
  const settings =
    provider === 'local'
      ? { ...config, OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined }
      : { ...config, EMBEDDING_MODEL: name, EMBEDDING_DIMENSION: dimension };
  const created = createEmbedder(settings);
  if (created && modelKey(created) === modelKey(model)) return created;
  void created?.close();
  return null;
};

/** The embedders that find intents: one for English, and one for all other languages. */
interface IntentEmbedders {
  english: Embedder | null;
  other: Embedder | null;
}

/** The weight of the English model in the similarity of two English texts. */
const ENGLISH_SHARE = 0.35;

/**
 * Creates the embedders that find intents. They use the multilingual encoder if it is installed, unless a provider's
 * model is configured or EMBEDDING_MODEL_FILE is `off`. For English, the encoder is joined with `general`, the model
 * for knowledge bases, if that is all-MiniLM-L6-v2. If the encoder is not used, `general` finds the intents in all
 * languages.
 */
export const createIntentEmbedders = (
  { EMBEDDING_MODEL_FILE, INTENT_ENCODER: folder }: Pick<typeof config, 'EMBEDDING_MODEL_FILE' | 'INTENT_ENCODER'>,
  general: Embedder | null,
): IntentEmbedders => {
  const isInstalled = folder && existsSync(join(folder, 'model.onnx')) && hasOnnxRuntime();
  if (!isInstalled || general?.provider === 'openai' || EMBEDDING_MODEL_FILE === 'off')
    return { english: general, other: general };
  const encoder = intentEncoder(folder);
  const english =
    general?.name === ENGLISH_MODEL
      ? joinedEmbedder({ first: encoder, second: general, secondShare: ENGLISH_SHARE })
      : encoder;
  return { english, other: encoder };
};

let currentEmbedder: Embedder | null | undefined;
let currentIntentEmbedders: IntentEmbedders | undefined;
const embeddersByKey = new Map<string, Embedder | null>();

/** Returns the embedder of this process, created once. */
export const embedder = (): Embedder | null => {
  if (currentEmbedder === undefined) currentEmbedder = createEmbedder(config);
  return currentEmbedder;
};

/**
 * Returns the embedder of a model, created once. The model may be one that was configured before: another model of the
 * provider, or the local model. Returns null if this installation no longer has the model. The name of the configured
 * model always denotes the configured model: vectors of its name with another dimension are deleted by a sweep.
 */
export const embedderOf = (model: ModelReference): Embedder | null => {
  const current = embedder();
  if (current?.name === model.name) return current;
  const key = modelKey(model);
  if (!embeddersByKey.has(key)) embeddersByKey.set(key, createEmbedderOf(model));
  return embeddersByKey.get(key) ?? null;
};

/** Returns the embedder that finds the intents of bots in a language, created once per process. */
export const intentEmbedder = (language: string): Embedder | null => {
  currentIntentEmbedders ??= createIntentEmbedders(config, embedder());
  return languageCode(language) === 'en' ? currentIntentEmbedders.english : currentIntentEmbedders.other;
};

/**
 * For tests: replaces the embedder, or removes it (null). `replaced` stays available as a model that was configured
 * before.
 */
export const setEmbedder = (replacement: Embedder | null, replaced?: Embedder) => {
  currentEmbedder = replacement;
  embeddersByKey.clear();
  if (replaced) embeddersByKey.set(modelKey(replaced), replaced);
  currentIntentEmbedders = undefined;
};
