/** Which model turns texts into vectors here, if any: the provider's, the local one, or none (full text alone). */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import type { Embedder } from './contract.ts';
import { localEmbedder } from './local.ts';
import { remoteEmbedder } from './remote.ts';

export type { Embedder } from './contract.ts';

/** The settings an embedder is chosen by. */
export type EmbedderSettings = Pick<
  typeof config,
  | 'DATA_DIR'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'EMBEDDING_MODEL'
  | 'EMBEDDING_DIMENSION'
  | 'EMBEDDING_MODEL_FILE'
  | 'AI_TIMEOUT'
  | 'AI_MAX_RETRY_WAIT'
>;

const runtimeIsThere = () => {
  try {
    return Boolean(createRequire(import.meta.url).resolve('onnxruntime-node'));
  } catch {
    return false; // an optional dependency: it has no build for every platform
  }
};

const modelFile = ({ EMBEDDING_MODEL_FILE: named, DATA_DIR }: EmbedderSettings) => {
  if (named === 'off') return undefined;
  const file = named ?? join(DATA_DIR, 'model', 'model.onnx');
  if (existsSync(file) && runtimeIsThere()) return file;
  if (named) logger.warn({ file }, 'EMBEDDING_MODEL_FILE can not be used: no such file, or no onnxruntime-node here');
  return undefined;
};

/** The embedder the settings ask for; null where there is none, then search is full text alone. */
export const makeEmbedder = (settings: EmbedderSettings): Embedder | null => {
  const provider = settings.OPENAI_BASE_URL ?? settings.OPENAI_API_KEY;
  if (provider && settings.EMBEDDING_MODEL)
    return remoteEmbedder({ ...settings, EMBEDDING_MODEL: settings.EMBEDDING_MODEL });
  const file = modelFile(settings);
  return file ? localEmbedder(file) : null;
};

let chosen: Embedder | null | undefined;

/** The embedder of this process, chosen once. */
export const embedder = (): Embedder | null => {
  if (chosen === undefined) chosen = makeEmbedder(config);
  return chosen;
};

/** Puts another embedder, or none, in the place of the chosen one: for tests, and for a model that arrives later. */
export const useEmbedder = (other: Embedder | null) => {
  chosen = other;
};
