/** Installs the packages of package-lock.json if the file has changed since the last installation. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetUpError } from './errors.mjs';
import { takeLock } from './lock.mjs';
import { fingerprint, homeFolder, isWritable, root } from './paths.mjs';
import { runProgram, waitUntil } from './processes.mjs';

const modulesFolder = path.join(root, 'node_modules');
const hashFile = path.join(modulesFolder, '.lock-hash');
const readRootFile = (file) => readFileSync(path.join(root, file), 'utf8');
const lockHash = () => createHash('sha256').update(readRootFile('package-lock.json')).digest('hex');
const isInstalled = () => existsSync(hashFile) && readFileSync(hashFile, 'utf8') === lockHash();

/** Whether a manual `npm ci` has already installed every required package in the lock file. */
function isInstalledByHand() {
  if (!existsSync(path.join(modulesFolder, '.package-lock.json'))) return false;
  const installed = JSON.parse(readRootFile('node_modules/.package-lock.json')).packages;
  const needed = Object.entries(JSON.parse(readRootFile('package-lock.json')).packages).filter(([name]) => name !== '');
  return needed.every(([name, { optional, version }]) => optional || installed[name]?.version === version);
}

async function install() {
  const npmScript = process.env.npm_execpath ?? '';
  const npm = npmScript.endsWith('npm-cli.js') ? [process.execPath, npmScript] : ['npm'];
  // npm needs a cache folder even if the user has no home folder.
  const cache =
    homeFolder() && isWritable(path.join(homeFolder(), '.npm'))
      ? []
      : ['--cache', path.join(root, '.data', 'cache', 'npm')];
  const args = [...npm.slice(1), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...cache];
  try {
    await runProgram(npm[0], args, { cwd: root });
  } catch (error) {
    throw new SetUpError('The packages could not be installed.', {
      tried: [`npm ci --ignore-scripts: ${error.message}`],
      remedies: [
        'make the npm registry reachable (`npm config get registry`, proxy settings) and start again',
        'run `npm ci --ignore-scripts` by hand and read its output',
        'copy node_modules from a clone of the same commit on a machine with the same system',
      ],
    });
  }
}

/**
 * Installs the packages of package-lock.json if the file has changed. Concurrent calls wait for one installation. Calls
 * `progress(text)` before an installation. Returns whether packages were installed. Throws `SetUpError` if npm fails.
 */
export async function ensurePackages(progress = () => {}) {
  if (isInstalled()) return false;
  const lock = await waitUntil(() => takeLock(`packages-${fingerprint(root)}`), { timeout: 900_000, every: 500 });
  try {
    if (isInstalled()) return false;
    const needed = !isInstalledByHand();
    if (needed) {
      progress('installing the packages with npm');
      await install();
    }
    writeFileSync(hashFile, lockHash());
    return needed;
  } finally {
    await lock?.release();
  }
}
