/**
 * Fetches MongoDB from its official download site. Gives up after 5 s without a response. Verifies the archive against
 * the published checksum.
 */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runProgram } from './processes.mjs';
import { moveToCache, verifyHash } from './python-wheel.mjs';

// The same release series as in the Python wheel of mongodb.mjs, so that each version can read the data of the other.
const MONGODB_VERSION = '6.0.19';
const FIRST_BYTE_TIMEOUT_MS = 5000;
const DOWNLOAD_TIMEOUT_MS = 300_000;

const BUILD_BY_PLATFORM = {
  'linux-x64': ['linux', `mongodb-linux-x86_64-ubuntu2204-${MONGODB_VERSION}`],
  'linux-arm64': ['linux', `mongodb-linux-aarch64-ubuntu2204-${MONGODB_VERSION}`],
  'darwin-x64': ['osx', `mongodb-macos-x86_64-${MONGODB_VERSION}`],
  'darwin-arm64': ['osx', `mongodb-macos-arm64-${MONGODB_VERSION}`],
};

/** Returns the path of the archive's mongod in the cache. */
export const cachedMongod = (cache) => path.join(cache, `mongodb-${MONGODB_VERSION}`, 'mongod');

async function requestUrl(url) {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`no response within ${FIRST_BYTE_TIMEOUT_MS / 1000} s`)),
    FIRST_BYTE_TIMEOUT_MS,
  );
  try {
    const reply = await fetch(url, { signal: controller.signal });
    if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
    return reply;
  } catch (error) {
    throw new Error(error.cause?.message ?? error.message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches mongod for this machine into the cache and returns its path. */
export async function fetchMongod(cache, progress, site = 'https://fastdl.mongodb.org') {
  const build = BUILD_BY_PLATFORM[`${process.platform}-${process.arch}`];
  if (!build) throw new Error(`no build for ${process.platform} on ${process.arch}`);
  const [system, name] = build;
  const url = `${site}/${system}/${name}.tgz`;
  const sum = (await (await requestUrl(`${url}.sha256`)).text()).split(' ')[0];
  progress(`fetching MongoDB ${MONGODB_VERSION}`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, '.fetch-'));
  try {
    const file = path.join(folder, 'mongodb.tgz');
    const body = Readable.fromWeb((await requestUrl(url)).body);
    await pipeline(body, createWriteStream(file), { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    verifyHash(file, sum);
    await runProgram('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
    return moveToCache(path.join(folder, 'bin', 'mongod'), cachedMongod(cache));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
