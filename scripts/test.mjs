/**
 * `npm test [-- mocha's arguments]`: the suite on services, ports and a folder of its own, with coverage.
 * `npm run bench` and `npm run faults` run the measurements and the long failure tests the same way.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { explain } from './set-up/errors.mjs';
import { findNode, withNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { cacheDir, root } from './set-up/paths.mjs';
import { stopRuns } from './set-up/processes.mjs';
import { startServices } from './set-up/services.mjs';
import { onStop } from './set-up/signals.mjs';
import { beQuiet, say, step } from './set-up/terminal.mjs';
import { makeTestFolder } from './set-up/test-folder.mjs';

const SPECS = {
  suite: ['test/{shared,workers,api,journeys,set-up,support}/**/*.test.ts'],
  bench: ['test/bench/**/*.bench.ts'],
  faults: ['test/faults/**/*.faults.ts'],
};
const TIMEOUTS = { suite: 20_000, bench: 1_800_000, faults: 1_800_000 };
// Pointers to things outside that a run may use; every other setting keeps its default.
const KEPT = new Set(['QDRANT_URL', 'QDRANT_API_KEY', 'EMBEDDING_MODEL_FILE', 'LOG_LEVEL']);
const closers = [];

/** The environment without the settings of a real system: the suite must not reach its data, nor run by its rules. */
function cleanEnv(env) {
  const declared = readFileSync(path.join(root, 'shared', 'config.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm);
  const settings = new Set([...declared].map(([, name]) => name).filter((name) => !KEPT.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.has(name)));
}

// c8 clones the environment to what it runs, so coverage of the children that tests start is counted too.
const c8 = (folder) => [
  path.join(root, 'node_modules/c8/bin/c8.js'),
  ...['--reporter', 'text-summary', '--temp-directory', path.join(folder, 'coverage'), '--exclude-after-remap'],
  ...['api', 'shared', 'workers'].flatMap((name) => ['--include', `${name}/**`]),
];

const mocha = (kind, args) => {
  const specs = args.some((arg) => arg.endsWith('.ts')) ? [] : SPECS[kind];
  return [
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    '--exit',
    '--timeout',
    String(TIMEOUTS[kind]),
    ...specs,
    ...args,
  ];
};

/** Run mocha to its end, under c8 for the suite; answers its exit code. */
const runMocha = (kind, args, { node, env, test }) =>
  new Promise((resolve, reject) => {
    const command = [...(kind === 'suite' ? [...c8(test.folder), node] : []), ...mocha(kind, args)];
    const child = spawn(node, command, { cwd: root, env, stdio: 'inherit', detached: true });
    if (child.pid) test.owns(child.pid);
    closers.push(() => child.exitCode ?? process.kill(-child.pid, 'SIGKILL'));
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });

async function environment(folder, node) {
  const cache = cacheDir(process.env, path.join(root, '.data'));
  const env = cleanEnv(process.env);
  const given = { ...env, MONGODB_URI: env.TEST_MONGODB_URI, REDIS_URL: env.TEST_REDIS_URL };
  const services = await startServices({ env: given, dataDir: folder, cache, anyPort: true, closers });
  const own = { NODE_ENV: 'test', DATA_DIR: path.join(folder, 'data'), TEST_TOTALS: path.join(folder, 'totals') };
  return { LOG_LEVEL: 'silent', ...withNode(node, env), ...services, ...own };
}

/** The line that ends the run: how many passed, failed, were skipped. */
const totals = (folder) => {
  const file = path.join(folder, 'totals');
  return existsSync(file) ? readFileSync(file, 'utf8') : '0 passed, 1 failed';
};

async function main([kind, ...args]) {
  beQuiet();
  await step('Packages', async (progress) => ({ note: await ensurePackages(progress) }));
  const node = findNode();
  const test = await makeTestFolder();
  closers.push(test.remove);
  const code = await runMocha(kind, args, { node, env: await environment(test.folder, node), test });
  const line = totals(test.folder);
  await closeAll();
  say(line);
  process.exitCode = code;
}

async function closeAll() {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

async function fail(error) {
  process.stderr.write(`${explain(error)}\n`);
  await closeAll();
  say('0 passed, 1 failed');
  process.exit(1);
}

onStop(async () => {
  stopRuns();
  await closeAll();
  process.exit(1);
});
const [first, ...more] = process.argv.slice(2);
await main(first in SPECS ? [first, ...more] : ['suite', ...process.argv.slice(2)]).catch(fail);
