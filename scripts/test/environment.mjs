/** The environment in which tests run: services and folders of their own, and no setting of a real system. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withNode } from '../set-up/node.mjs';
import { cacheDir, root } from '../set-up/paths.mjs';
import { startServices } from '../set-up/services.mjs';
import { CHECKED, checkSettings } from '../set-up/settings.mjs';
import { folderOf } from '../set-up/test-folder.mjs';

// Pointers to things outside that a run may use; every other setting keeps its default.
const KEPT = new Set(['QDRANT_URL', 'QDRANT_API_KEY', 'EMBEDDING_MODEL_FILE', 'LOG_LEVEL']);

/** The environment without the settings of a real system: the suite must not reach its data, nor run by its rules. */
function cleanEnv(env) {
  const declared = readFileSync(path.join(root, 'shared', 'config.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm);
  const settings = new Set([...declared].map(([, name]) => name).filter((name) => !KEPT.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.has(name)));
}

/** Of the hundred processes that tests start, the first ones compile for the others. */
const compiledIn = (folder) => ({ NODE_COMPILE_CACHE: path.join(folder, 'compiled') });

/** Start services in `folder` and return the environment of the tests that use them. */
export async function testEnvironment({ folder, node, closers }) {
  const cache = cacheDir(process.env, path.join(root, '.data'));
  const env = cleanEnv(process.env);
  checkSettings(node, withNode(node, env));
  const given = { ...env, MONGODB_URI: env.TEST_MONGODB_URI, REDIS_URL: env.TEST_REDIS_URL };
  const services = await startServices({ env: given, dataDir: folder, cache, anyPort: true, closers });
  const own = {
    NODE_ENV: 'test',
    TEST_GROUP: 'own',
    DATA_DIR: path.join(folder, 'data'),
    ...compiledIn(folder),
  };
  return { LOG_LEVEL: 'silent', ...withNode(node, env), ...CHECKED, ...services, ...own };
}

const withDatabase = (uri, suffix) => {
  const url = new URL(uri);
  url.pathname = `${url.pathname === '/' ? '/support-chat' : url.pathname}${suffix}`;
  return url.href;
};

/**
 * The environment of one of several processes: services and a folder of its own, as tests change the settings of
 * Redis for a moment; a database of its own where both use one MongoDB that was given.
 */
export async function environmentOf(number, setting) {
  const env = await testEnvironment({ ...setting, folder: folderOf(setting.folder, number) });
  return { ...env, MONGODB_URI: withDatabase(env.MONGODB_URI, `-${number}`), ...compiledIn(setting.folder) };
}
