/** The environment of test processes: their own services and folders, and no settings of a real system. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkSettings, SETTINGS_CHECKED_ENV } from '../set-up/check-settings.mjs';
import { withNode } from '../set-up/node.mjs';
import { cacheDir, root } from '../set-up/paths.mjs';
import { startServices } from '../set-up/services.mjs';
import { processFolder, testDataFolder } from '../set-up/test-folder.mjs';

// Settings that a test run may take from its environment; all others keep their defaults.
const INHERITED_SETTINGS = new Set([
  'QDRANT_URL',
  'QDRANT_API_KEY',
  'EMBEDDING_MODEL_FILE',
  'INTENT_ENCODER',
  'LOG_LEVEL',
]);

/** Removes the settings of a real system, so that the tests use neither its data nor its configuration. */
export function cleanEnv(env) {
  const shared = path.join(root, 'shared');
  const sources = [
    'config.ts',
    ...readdirSync(path.join(shared, 'settings')).map((file) => path.join('settings', file)),
  ];
  const text = sources.map((file) => readFileSync(path.join(shared, file), 'utf8')).join('');
  const declared = text.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm);
  const settings = new Set([...declared].map(([, name]) => name).filter((name) => !INHERITED_SETTINGS.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.has(name)));
}

/** All processes and runs share a compile cache: in one run, about a hundred processes load the same files. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: path.join(testDataFolder, 'compiled') };

/** Starts services in `folder` and returns the environment of the tests that use them. */
export async function testEnvironment({ folder, node, closers }) {
  const cache = cacheDir(process.env, path.join(root, '.data'));
  const env = cleanEnv(process.env);
  checkSettings(node, withNode(node, env));
  const serviceEnv = { ...env, MONGODB_URI: env.TEST_MONGODB_URI, REDIS_URL: env.TEST_REDIS_URL };
  const options = { anyPort: true, skipsJournal: true };
  const services = await startServices({ env: serviceEnv, dataDir: folder, cache, closers, ...options });
  const testSettings = {
    NODE_ENV: 'test',
    TEST_GROUP: 'own',
    DATA_DIR: path.join(folder, 'data'),
    ...COMPILE_CACHE,
  };
  return { LOG_LEVEL: 'silent', ...withNode(node, env), ...SETTINGS_CHECKED_ENV, ...services, ...testSettings };
}

/**
 * The environment variable that names the folder for the data of databases that tests start: a subfolder of the run's
 * folder.
 */
export const dataFolderEnvironment = (folder) => ({ TEST_FOLDER: path.join(folder, 'started-by-tests') });

const withDatabase = (uri, suffix) => {
  const url = new URL(uri);
  url.pathname = `${url.pathname === '/' ? '/support-chat' : url.pathname}${suffix}`;
  return url.href;
};

/**
 * Returns the environment of one of several test processes. Each process has its own services and folder, because tests
 * change the settings of Redis. If the processes use one external MongoDB, each has its own database.
 */
export async function processEnvironment(number, setting) {
  const env = await testEnvironment({ ...setting, folder: processFolder(setting.folder, number) });
  return { ...env, MONGODB_URI: withDatabase(env.MONGODB_URI, `-${number}`) };
}
