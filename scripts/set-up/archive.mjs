/** MongoDB from its makers' download site: given up after 5 s without a first byte, checked against the published sum. */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from './processes.mjs';
import { keep, verify } from './wheel.mjs';

// The series of the wheel, so that data written by one is read by the other.
const VERSION = '6.0.19';
const FIRST_BYTE = 5000;
const WHOLE = 300_000;

const BUILDS = {
  'linux-x64': ['linux', `mongodb-linux-x86_64-ubuntu2204-${VERSION}`],
  'linux-arm64': ['linux', `mongodb-linux-aarch64-ubuntu2204-${VERSION}`],
  'darwin-x64': ['osx', `mongodb-macos-x86_64-${VERSION}`],
  'darwin-arm64': ['osx', `mongodb-macos-arm64-${VERSION}`],
};

/** Where the archive's mongod lies in the cache once it was fetched. */
export const keptMongod = (cache) => path.join(cache, `mongodb-${VERSION}`, 'mongod');

async function get(url) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Error(`no answer within ${FIRST_BYTE / 1000} s`)), FIRST_BYTE);
  try {
    const reply = await fetch(url, { signal: patience.signal });
    if (!reply.ok) throw new Error(`answered ${reply.status}`);
    return reply;
  } catch (error) {
    throw new Error(error.cause?.message ?? error.message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Fetch mongod for this machine into the cache and answer its path. */
export async function fetchMongod(cache, progress, site = 'https://fastdl.mongodb.org') {
  const build = BUILDS[`${process.platform}-${process.arch}`];
  if (!build) throw new Error(`no build for ${process.platform} on ${process.arch}`);
  const [system, name] = build;
  const url = `${site}/${system}/${name}.tgz`;
  const sum = (await (await get(`${url}.sha256`)).text()).split(' ')[0];
  progress(`fetching MongoDB ${VERSION}`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, '.fetch-'));
  try {
    const file = path.join(folder, 'mongodb.tgz');
    const body = Readable.fromWeb((await get(url)).body);
    await pipeline(body, createWriteStream(file), { signal: AbortSignal.timeout(WHOLE) });
    verify(file, sum);
    await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
    return keep(path.join(folder, 'bin', 'mongod'), keptMongod(cache));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
