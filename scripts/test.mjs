/**
 * `npm test`: the suite in two processes, on services, ports and folders of its own; with `--coverage` it measures that too.
 * `npm test -- file.test.ts -g title` runs what mocha is told in one process; so do `npm run bench` and `npm run faults`.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from './set-up/errors.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { root } from './set-up/paths.mjs';
import { hurry, stopRuns } from './set-up/processes.mjs';
import { onStop } from './set-up/signals.mjs';
import { beQuiet, say, step } from './set-up/terminal.mjs';
import { makeTestFolder } from './set-up/test-folder.mjs';
import { coverageSetting, reportCoverage } from './test/coverage.mjs';
import { environmentOf, testEnvironment } from './test/environment.mjs';
import { keepDurations, suiteFiles } from './test/files.mjs';
import { runFiles } from './test/pool.mjs';
import { fileLine, printFailures, printSlowest, totalLine } from './test/report.mjs';

const SPECS = {
  suite: ['test/{shared,workers,api,journeys,set-up,support}/**/*.test.ts'],
  bench: ['test/bench/**/*.bench.ts'],
  faults: ['test/faults/**/*.faults.ts'],
};
const TIMEOUTS = { suite: 20_000, bench: 1_800_000, faults: 1_800_000 };
const closers = [];
const COVERAGE = '--coverage';
const STARTING = 3000;
let stopping = false;

const mocha = (kind, args) => {
  const specs = args.some((arg) => arg.endsWith('.ts')) ? [] : SPECS[kind];
  const options = ['--exit', '--timeout', String(TIMEOUTS[kind])];
  return [path.join(root, 'node_modules/mocha/bin/mocha.js'), ...options, ...specs, ...args];
};

/** Whatever happens to this process, the group of that one ends with it. */
const owner = (test) => (child) => {
  if (child.pid) test.owns(child.pid);
  closers.push(() => child.exitCode ?? child.signalCode ?? process.kill(-child.pid, 'SIGKILL'));
};

/** What a single mocha wrote down as its totals. */
const totalsIn = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '0 passed, 1 failed');

/** Run mocha with its own arguments; answers `{ code, line }`. */
async function runMocha([kind, args], { node, test, more }) {
  const env = { ...(await testEnvironment({ folder: test.folder, node, closers })), ...more };
  const totals = path.join(test.folder, 'totals');
  const command = mocha(kind, args);
  const child = spawn(node, command, {
    cwd: root,
    env: { ...env, TEST_TOTALS: totals },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  owner(test)(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, line: totalsIn(totals) };
}

/** Run all files of the suite; answers `{ code, line }`. */
async function runSuite({ node, test, more }) {
  const setting = { folder: test.folder, node, closers };
  const environments = await Promise.all([1, 2].map((number) => environmentOf(number, setting)));
  const both = environments.map((env) => ({ ...env, ...more }));
  const files = suiteFiles();
  const results = [];
  const done = (result, output) => {
    results.push(result);
    say(`${fileLine(result)}\n${output.replace(/^\n+/, '')}\n`);
  };
  const timeout = TIMEOUTS.suite;
  const process = { node, folder: test.folder, timeout, owns: owner(test), stopping: () => stopping, done };
  await runFiles(files, both, process);
  printFailures(results);
  printSlowest(results);
  keepDurations(results);
  return { code: results.some(({ failures }) => failures.length > 0) ? 1 : 0, line: totalLine(results) };
}

async function main([kind, ...given]) {
  const isCovered = given.includes(COVERAGE);
  const args = given.filter((arg) => arg !== COVERAGE);
  beQuiet();
  await step('Packages', async (progress) => ({ note: await ensurePackages(progress) }));
  const node = findNode();
  const test = await makeTestFolder();
  closers.push(test.remove);
  const more = isCovered ? coverageSetting(test.folder) : {};
  const whole = kind === 'suite' && args.length === 0;
  const { code, line } = await (whole ? runSuite : runMocha.bind(undefined, [kind, args]))({ node, test, more });
  if (isCovered) await reportCoverage({ folder: test.folder, node, closers });
  await closeAll();
  say(line);
  process.exitCode = code;
}

async function closeAll() {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

async function fail(error) {
  if (stopping) return;
  process.stderr.write(`${explain(error)}\n`);
  await closeAll();
  say('0 passed, 1 failed');
  process.exit(error.exitCode ?? 1);
}

async function stopAll() {
  stopping = true;
  await Promise.all([stopRuns(), closeAll()]);
  // What was being started when the signal came.
  await Promise.race([running, sleep(STARTING)]);
  await closeAll();
  process.exit(1);
}

let stopped;
onStop((name, again) => {
  if (again) hurry();
  stopped ??= stopAll();
});
const [first, ...more] = process.argv.slice(2);
const running = main(first in SPECS ? [first, ...more] : ['suite', ...process.argv.slice(2)]).catch(fail);
await running;
