/** The packages of package-lock.json, installed when the lock file changed since the last time and not otherwise. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetUpError } from './errors.mjs';
import { take } from './lock.mjs';
import { fingerprint, home, root, writable } from './paths.mjs';
import { run, until } from './processes.mjs';

const modules = path.join(root, 'node_modules');
const mark = path.join(modules, '.lock-hash');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const wanted = () => createHash('sha256').update(read('package-lock.json')).digest('hex');
const marked = () => existsSync(mark) && readFileSync(mark, 'utf8') === wanted();

/** Whether a person's own `npm ci` already put every package of the lock file there. */
function installedByHand() {
  if (!existsSync(path.join(modules, '.package-lock.json'))) return false;
  const there = JSON.parse(read('node_modules/.package-lock.json')).packages;
  const needed = Object.entries(JSON.parse(read('package-lock.json')).packages).filter(([name]) => name !== '');
  return needed.every(([name, { optional, version }]) => optional || there[name]?.version === version);
}

async function install() {
  const running = process.env.npm_execpath ?? '';
  const npm = running.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm'];
  // A user without a home has nowhere to keep npm's cache.
  const cache =
    home() && writable(path.join(home(), '.npm')) ? [] : ['--cache', path.join(root, '.data', 'cache', 'npm')];
  const args = [...npm.slice(1), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...cache];
  try {
    await run(npm[0], args, { cwd: root });
  } catch (error) {
    throw new SetUpError('The packages could not be installed.', {
      tried: [`npm ci --ignore-scripts: ${error.message}`],
      waysOut: [
        'make the npm registry reachable (`npm config get registry`, proxy settings) and start again',
        'run `npm ci --ignore-scripts` by hand and see what it says',
        'copy node_modules from a clone of the same commit on a machine of the same kind',
      ],
    });
  }
}

/**
 * Install what package-lock.json names, when it changed since the last time. Processes that ask at once wait for one.
 * `progress(text)` hears that it takes a while. Answers whether anything was installed. Needs nothing but Node and npm.
 */
export async function ensurePackages(progress = () => {}) {
  if (marked()) return false;
  const lock = await until(() => take(`packages-${fingerprint(root)}`), { timeout: 900_000, every: 500 });
  try {
    if (marked()) return false;
    const needed = !installedByHand();
    if (needed) {
      progress('installing the packages with npm');
      await install();
    }
    writeFileSync(mark, wanted());
    return needed;
  } finally {
    await lock?.release();
  }
}
