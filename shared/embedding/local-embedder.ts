/** The local models: all-MiniLM-L6-v2 for knowledge bases, and the multilingual encoder for intents. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ThreadModel, threadEmbedder } from './thread-embedder.ts';
import type { Embedder } from './types.ts';

/** The name of the model for knowledge bases, which the setup of `npm start` downloads. */
export const ENGLISH_MODEL = 'all-MiniLM-L6-v2';

const KNOWN_MODELS = new Map([['8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6', ENGLISH_MODEL]]);
const DIMENSION = 384;
const INTENT_DIMENSION = 896;

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Returns the name of the model in a file. If the model is unknown, its name contains the hash of the file, so that
 * vectors of different models are not mixed.
 */
const modelName = (file: string) => {
  const hash = hashOf(file);
  return KNOWN_MODELS.get(hash) ?? `${basename(file, '.onnx')}-${hash.slice(0, 8)}`;
};

const THREAD_SCRIPT = new URL('./local-thread.ts', import.meta.url);

/** Creates an embedder for a model file. Tests pass their own thread script and idle time. */
export const localEmbedder = (file: string, options: Partial<Pick<ThreadModel, 'script' | 'idleMs'>> = {}): Embedder =>
  threadEmbedder({ name: modelName(file), dimension: DIMENSION, file, script: THREAD_SCRIPT, ...options });

/** Creates an embedder for the multilingual encoder in a folder. Its name contains the hash of `model.onnx`. */
export const intentEncoder = (folder: string): Embedder =>
  threadEmbedder({
    name: `multilingual-use-e5-${hashOf(join(folder, 'model.onnx')).slice(0, 8)}`,
    dimension: INTENT_DIMENSION,
    file: folder,
    script: new URL('./intent-thread.ts', import.meta.url),
  });
