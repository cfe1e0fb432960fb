/**
 * `npm test`: runs the suite in several processes, with its own services, ports and folders; `--coverage` measures
 * coverage. With arguments for mocha (`npm test -- file.test.ts -g title`), the tests run in one process. The tests of
 * `npm run bench`, `npm run faults` and `npm run screenshots` always do.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from './set-up/errors.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { root } from './set-up/paths.mjs';
import { shortenGrace, stopRuns } from './set-up/processes.mjs';
import { onStop } from './set-up/signals.mjs';
import { printLine, runSetUpStep, setQuiet } from './set-up/terminal.mjs';
import { makeTestFolder } from './set-up/test-folder.mjs';
import { coverageEnvironment, reportCoverage } from './test/coverage.mjs';
import { dataFolderEnvironment, processEnvironment, testEnvironment } from './test/environment.mjs';
import { formatFileLine, formatTotals, printFailures, printSlowest } from './test/report.mjs';
import { saveDurations, suiteGroups } from './test/suite-files.mjs';
import { runGroups } from './test/suite-processes.mjs';
import { SUITE_V8_OPTIONS } from './test/v8-options.mjs';

const SPECS_BY_KIND = {
  suite: ['test/{shared,workers,api,journeys,set-up,support}/**/*.test.ts'],
  bench: ['test/bench/**/*.bench.ts'],
  faults: ['test/faults/**/*.faults.ts'],
  screenshots: ['test/screenshots/**/*.screenshots.ts'],
};
// One more process than cores, but at most 5: tests spend a third of their time waiting for timers and other processes.
const PROCESS_NUMBERS = Array.from({ length: Math.min(availableParallelism(), 4) + 1 }, (_, index) => index + 1);
const TIMEOUT_MS_BY_KIND = { suite: 120_000, bench: 1_800_000, faults: 1_800_000, screenshots: 600_000 };
const closers = [];
const COVERAGE_OPTION = '--coverage';
const STEP_STOP_TIMEOUT_MS = 3000;
let isStopping = false;

const mochaCommand = (kind, args) => {
  const specs = args.some((arg) => arg.endsWith('.ts')) ? [] : SPECS_BY_KIND[kind];
  const options = ['--exit', '--timeout', String(TIMEOUT_MS_BY_KIND[kind])];
  const v8Options = kind === 'suite' ? SUITE_V8_OPTIONS : [];
  return [...v8Options, path.join(root, 'node_modules/mocha/bin/mocha.js'), ...options, ...specs, ...args];
};

const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Every process of the group has exited.
  }
};

/**
 * Returns a function that registers a child process. The remaining processes of its group are killed when the child
 * exits, when this process exits or, if this process is killed, by the next run.
 */
const childRegistrar = (test) => (child) => {
  if (!child.pid) return;
  test.registerGroup(child.pid);
  child.once('exit', () => killGroup(child.pid));
  closers.push(() => child.exitCode ?? child.signalCode ?? killGroup(child.pid));
};

/** Reads the totals that a single mocha run wrote. */
const readTotals = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '0 passed, 1 failed');

/** Runs mocha with the given arguments. Returns its exit code and the line of totals. */
async function runMocha([kind, args], { node, test, extraEnv }) {
  const env = { ...(await testEnvironment({ folder: test.folder, node, closers })), ...extraEnv };
  const totalsFile = path.join(test.folder, 'totals');
  const command = mochaCommand(kind, args);
  const child = spawn(node, command, {
    cwd: root,
    env: { ...env, TEST_TOTALS: totalsFile },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  childRegistrar(test)(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, totals: readTotals(totalsFile) };
}

/** Runs all files of the suite. Returns the exit code and the line of totals. */
async function runSuite({ node, test, extraEnv }) {
  const setting = { folder: test.folder, node, closers };
  const environments = await Promise.all(PROCESS_NUMBERS.map((number) => processEnvironment(number, setting)));
  const results = [];
  const onResult = (result, output) => {
    results.push(result);
    printLine(`${formatFileLine(result)}\n${output.replace(/^\n+/, '')}\n`);
  };
  const timeout = TIMEOUT_MS_BY_KIND.suite;
  const registerChild = childRegistrar(test);
  const runOptions = { node, folder: test.folder, timeout, registerChild, isStopping: () => isStopping, onResult };
  await runGroups(
    suiteGroups(),
    environments.map((env) => ({ ...env, ...extraEnv })),
    runOptions,
  );
  printFailures(results);
  printSlowest(results);
  saveDurations(results);
  return { code: results.some(({ failures }) => failures.length > 0) ? 1 : 0, totals: formatTotals(results) };
}

async function main([kind, ...options]) {
  const measuresCoverage = options.includes(COVERAGE_OPTION);
  const args = options.filter((option) => option !== COVERAGE_OPTION);
  setQuiet();
  await runSetUpStep('Packages', async (progress) => ({ note: await ensurePackages(progress) }));
  const node = findNode();
  const test = await makeTestFolder();
  closers.push(test.remove);
  const extraEnv = {
    ...(measuresCoverage ? coverageEnvironment(test.folder) : {}),
    ...(kind === 'suite' ? dataFolderEnvironment(test.folder) : {}),
  };
  const isWholeSuite = kind === 'suite' && args.length === 0;
  const setting = { node, test, extraEnv };
  const { code, totals } = isWholeSuite ? await runSuite(setting) : await runMocha([kind, args], setting);
  if (measuresCoverage) await reportCoverage({ folder: test.folder, node, closers });
  await closeAll();
  printLine(totals);
  process.exitCode = code;
}

async function closeAll() {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

async function fail(error) {
  if (isStopping) return;
  process.stderr.write(`${explainError(error)}\n`);
  await closeAll();
  printLine('0 passed, 1 failed');
  process.exit(error.exitCode ?? 1);
}

async function stopAll() {
  isStopping = true;
  await Promise.all([stopRuns(), closeAll()]);
  // A setup step that was running when the signal arrived may have registered more closers.
  await Promise.race([runPromise, sleep(STEP_STOP_TIMEOUT_MS)]);
  await closeAll();
  process.exit(1);
}

let stopPromise;
onStop((name, isRepeated) => {
  if (isRepeated) shortenGrace();
  stopPromise ??= stopAll();
});
const givenArguments = process.argv.slice(2);
const namesKind = givenArguments[0] in SPECS_BY_KIND;
const runPromise = main(namesKind ? givenArguments : ['suite', ...givenArguments]).catch(fail);
await runPromise;
