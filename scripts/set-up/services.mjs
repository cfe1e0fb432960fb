/** Starts the services that the API and the workers need: MongoDB, Redis, the chunk index and the local models. */
import { runDatabase } from './database.mjs';
import { findEmbeddingModel } from './embedding-model.mjs';
import { findIntentEncoder } from './intent-encoder.mjs';
import { mongodb } from './mongodb.mjs';
import { redis } from './redis.mjs';
import { writeState } from './state-file.mjs';
import { runSetUpStep } from './terminal.mjs';

const maskSecrets = (uri) => uri.replace(/\/\/[^@/]*@/, '//…@');

const startService = (kind, uri, setting) =>
  runSetUpStep(kind.title, (progress) =>
    uri ? { note: `external, ${maskSecrets(uri)}`, uri, stop: async () => {} } : runDatabase(kind, setting, progress),
  );

/**
 * Starts the services for which `env` has no address, each as a step on the terminal. Reuses a service that a killed
 * `npm start` process has left running. `setting` is `{ env, dataDir, cache, anyPort, closers, skipsJournal }`; adds
 * to `closers` the functions that stop the services. With `skipsJournal`, only writes to MongoDB that ask for the
 * journal wait for it, which saves a fifth of MongoDB's processor time. Returns the settings with which the API and the
 * workers reach the services.
 */
export async function startServices(setting) {
  const { env, cache, closers } = setting;
  const database = await startService(mongodb, env.MONGODB_URI, setting);
  closers.push(database.stop);
  const queue = await startService(redis, env.REDIS_URL, setting);
  closers.push(queue.stop);
  const store = env.QDRANT_URL ? `Qdrant, ${maskSecrets(env.QDRANT_URL)}` : 'LanceDB in the data folder';
  await runSetUpStep('Vectors', () => ({ note: store }));
  const model = await runSetUpStep('Model', (progress) => findEmbeddingModel(env, cache, progress));
  writeState(setting.dataDir, 'model', { file: model.file });
  const encoder = await runSetUpStep('Intents', (progress) => findIntentEncoder(env, { cache, model }, progress));
  writeState(setting.dataDir, 'intents', { folder: encoder.folder });
  return {
    MONGODB_URI: database.uri,
    REDIS_URL: queue.uri,
    ...(model.file ? { EMBEDDING_MODEL_FILE: model.file } : {}),
    ...(encoder.folder ? { INTENT_ENCODER: encoder.folder } : {}),
  };
}
