/** All that the API and the workers need around them: MongoDB, Redis, vectors, the embedding model. */
import { runDatabase } from './database.mjs';
import { remember } from './memory.mjs';
import { embeddingModel } from './model.mjs';
import { mongodb } from './mongodb.mjs';
import { redis } from './redis.mjs';
import { step } from './terminal.mjs';

const withoutSecrets = (uri) => uri.replace(/\/\/[^@/]*@/, '//…@');

const one = (kind, given, setting) =>
  step(kind.title, (progress) =>
    given
      ? { note: `yours, ${withoutSecrets(given)}`, uri: given, stop: async () => {} }
      : runDatabase(kind, setting, progress),
  );

/**
 * Start what is not given in `env`, adopting what a kill left behind, each as a step on the terminal.
 * `setting`: `{ env, dataDir, cache, anyPort, closers }`; the ways to stop what was started are put into `closers`.
 * Answers the settings by which the API and the workers find it all.
 */
export async function startServices(setting) {
  const { env, cache, closers } = setting;
  const database = await one(mongodb, env.MONGODB_URI, setting);
  closers.push(database.stop);
  const queue = await one(redis, env.REDIS_URL, setting);
  closers.push(queue.stop);
  const store = env.QDRANT_URL ? `Qdrant, ${withoutSecrets(env.QDRANT_URL)}` : 'LanceDB in the data folder';
  await step('Vectors', () => ({ note: store }));
  const model = await step('Model', (progress) => embeddingModel(env, cache, progress));
  remember(setting.dataDir, 'model', { file: model.file });
  return {
    MONGODB_URI: database.uri,
    REDIS_URL: queue.uri,
    ...(model.file ? { EMBEDDING_MODEL_FILE: model.file } : {}),
  };
}
