/** Chooses the embedding models: the provider's models, the local models, or none (full text only). */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import { intentEncoder, localEmbedder } from './local-embedder.ts';
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
    return false; // the package is an optional dependency, without a build for some platforms
  }
};

const findModelFile = ({ EMBEDDING_MODEL_FILE, DATA_DIR }: EmbedderSettings) => {
  if (EMBEDDING_MODEL_FILE === 'off') return undefined;
  const file = EMBEDDING_MODEL_FILE ?? join(DATA_DIR, 'model', 'model.onnx');
  if (existsSync(file) && hasOnnxRuntime()) return file;
  if (EMBEDDING_MODEL_FILE)
    logger.warn({ file }, 'EMBEDDING_MODEL_FILE cannot be used: the file or the package onnxruntime-node is missing');
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

/**
 * Creates the embedder that finds intents. This is the multilingual encoder if it is installed, unless a provider's
 * model is configured or EMBEDDING_MODEL_FILE is `off`. Otherwise returns `general`.
 */
const createIntentEmbedder = (
  { EMBEDDING_MODEL_FILE, INTENT_ENCODER: folder }: Pick<typeof config, 'EMBEDDING_MODEL_FILE' | 'INTENT_ENCODER'>,
  general: Embedder | null,
): Embedder | null => {
  if (general?.provider === 'openai' || EMBEDDING_MODEL_FILE === 'off') return general;
  return folder && existsSync(join(folder, 'model.onnx')) && hasOnnxRuntime() ? intentEncoder(folder) : general;
};

let currentEmbedder: Embedder | null | undefined;
let currentIntentEmbedder: Embedder | null | undefined;

/** Returns the embedder of this process, created once. */
export const embedder = (): Embedder | null => {
  if (currentEmbedder === undefined) currentEmbedder = createEmbedder(config);
  return currentEmbedder;
};

/** Returns the embedder with which this process finds intents, created once. */
export const intentEmbedder = (): Embedder | null => {
  if (currentIntentEmbedder === undefined) currentIntentEmbedder = createIntentEmbedder(config, embedder());
  return currentIntentEmbedder;
};

/** For tests: replaces the embedder, or removes it (null). */
export const setEmbedder = (replacement: Embedder | null) => {
  currentEmbedder = replacement;
};
