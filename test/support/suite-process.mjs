/** One process of `npm test`: runs each received test file with mocha and sends the result. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import Mocha from 'mocha';
import { mochaHooks } from '../setup.ts';
import { projectModels } from '#shared/database/collection.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { AccessChange } from '#shared/models/access-change.ts';
import { Project } from '#shared/models/project.ts';
import { queues } from '#shared/queue/queue.ts';
import { loadProcessors } from '../../workers/processors.ts';
import { cpuSeconds } from './cpu-time.mjs';
import FileReport, { failureTexts } from './file-report.mjs';
import { skipEarlierEvents, stopRelay } from './relay.ts';
import { runGroupCleanups } from './suite-cleanup.ts';

// Mocha ignores unhandled rejections if there is a listener. This listener makes them failures of the running test.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/** Writes all output to a file while `work` runs, so that processes do not print into each other's reports. */
async function withOutput(file, work) {
  const output = openSync(file, 'w');
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const print = (data, encoding, callback) => {
    writeSync(output, data);
    for (const each of [encoding, callback]) if (typeof each === 'function') process.nextTick(each);
    return true;
  };
  for (const stream of streams) stream.write = print;
  try {
    return await work();
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index];
    closeSync(output);
  }
}

/** Runs a file. Returns mocha's statistics and the texts of the failures. */
async function runMocha(file, timeout) {
  const mocha = new Mocha({ reporter: FileReport, timeout, color: process.stdout.isTTY });
  mocha.addFile(path.resolve(file));
  await mocha.loadFilesAsync();
  const failed = [];
  const { stats, texts } = await new Promise((resolve) => {
    const runner = mocha.run(() => resolve(runner));
    runner.on('fail', (test) => failed.push(test));
    runner.once('end', () => {
      runner.texts = failureTexts(failed);
    });
  });
  // Without this call, mocha's listeners remain, keep the tests in memory and turn errors in later files into crashes.
  mocha.dispose();
  return { stats, texts };
}

async function runFile(file, timeout) {
  const since = performance.now();
  const cpuBefore = cpuSeconds();
  const times = () => ({ seconds: (performance.now() - since) / 1000, cpu: cpuSeconds() - cpuBefore });
  try {
    const { stats, texts } = await runMocha(file, timeout);
    return { file, passes: stats.passes, pending: stats.pending, failures: texts, ...times() };
  } catch (error) {
    return { file, passes: 0, pending: 0, failures: [`  1) ${file}:\n${error.stack}\n`], ...times() };
  }
}

/** Removes the jobs that a file left in the queues, since the next file that runs jobs would spend seconds on them. */
const removeJobs = () => Promise.all(queues().map((queue) => queue.drain(true)));

const COUNT_STAGE = { $collStats: { count: {} } };

/** Returns the collections that have records, using one command. Rejects if one of the collections does not exist. */
async function withRecords(collections) {
  const [first, ...others] = collections;
  const unions = others.map(({ collectionName: coll }) => ({ $unionWith: { coll, pipeline: [COUNT_STAGE] } }));
  const counts = await first.aggregate([COUNT_STAGE, ...unions, { $match: { count: { $gt: 0 } } }]).toArray();
  const names = new Set(counts.map(({ ns }) => ns.slice(ns.indexOf('.') + 1)));
  return collections.filter(({ collectionName }) => names.has(collectionName));
}

/** Removes the projects that a test file left behind, with their records, which sweeps and listeners would read. */
async function removeProjects() {
  const collections = [...projectModels(), Project, AccessChange].map(({ collection }) => collection);
  // `withRecords` rejects if the file has defined a model whose collection does not exist.
  const filled = await withRecords(collections).catch(() => collections);
  await Promise.all(filled.map((collection) => collection.deleteMany({}, { writeConcern: { w: 1 } })));
}

/** Stops the relay that a test file has started. Relays that later files start will skip this test file's events. */
async function endRelay() {
  await stopRelay();
  await skipEarlierEvents();
}

process.on('message', async ({ file, endsGroup, output, timeout, end }) => {
  if (end) {
    await mochaHooks.afterAll();
    process.exit(0);
  }
  const result = await withOutput(output, () => runFile(file, timeout));
  if (endsGroup) await runGroupCleanups();
  await endRelay();
  await Promise.all([removeJobs(), removeProjects()]);
  process.send(result);
  flushCompileCache();
});

await mochaHooks.beforeAll();
// Fills the cache of compiled code, because the many processes that tests kill write nothing to it.
await Promise.all([import('../../api/server.ts'), loadProcessors([...QUEUE_NAMES])]);
flushCompileCache();
process.send({ ready: true });
