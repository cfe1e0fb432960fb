/** Mocha's spec report, then the slowest files and one plain line of totals. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import mocha from 'mocha';
import { cpuSeconds } from './cpu-time.mjs';

const { EVENT_RUN_END, EVENT_TEST_PENDING, EVENT_SUITE_BEGIN, EVENT_SUITE_END } = mocha.Runner.constants;
const SLOWEST = 10;

/** The reason that `skipWithReason` has stored for a test or for a suite around it. */
const reasonOf = (at) => at && (at.notRun ?? reasonOf(at.parent));

const outermost = (suite) => !suite.root && suite.parent.root;

/**
 * Measures the duration of each file, including hooks, and its CPU time, including that of child processes that have
 * exited.
 */
function timeFiles(runner) {
  const times = new Map();
  const now = () => ({ seconds: performance.now() / 1000, cpu: cpuSeconds() });
  let since;
  runner.on(EVENT_SUITE_BEGIN, (suite) => {
    if (outermost(suite)) since = now();
  });
  runner.on(EVENT_SUITE_END, (suite) => {
    if (!outermost(suite)) return;
    const { seconds, cpu } = times.get(suite.file) ?? { seconds: 0, cpu: 0 };
    const end = now();
    times.set(suite.file, { seconds: seconds + end.seconds - since.seconds, cpu: cpu + end.cpu - since.cpu });
  });
  return times;
}

const secondsCell = (seconds) => `${seconds.toFixed(1).padStart(6)} s`;

function printSlowest(times) {
  const slowest = [...times].toSorted(([, a], [, b]) => b.seconds - a.seconds).slice(0, SLOWEST);
  console.log('Slowest files');
  for (const [file, { seconds, cpu }] of slowest)
    console.log(`  ${secondsCell(seconds)}  ${secondsCell(cpu)} CPU  ${path.relative('', file)}`);
}

const plainLine = ({ passes, failures, pending }) =>
  `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`;

/** Prints why a test is not run, below its title. */
export function printReasons(runner) {
  runner.on(EVENT_TEST_PENDING, (test) => {
    const reason = reasonOf(test);
    if (reason) console.log(`      not run: ${reason}`);
  });
}

/** The reporter. If `TEST_TOTALS` names a file, the totals are written to it, and `npm test` prints them last. */
export default class Report extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const times = timeFiles(runner);
    printReasons(runner);
    runner.once(EVENT_RUN_END, () => {
      printSlowest(times);
      const line = plainLine(runner.stats);
      if (process.env.TEST_TOTALS) writeFileSync(process.env.TEST_TOTALS, line);
      else console.log(`\n${line}`);
    });
  }
}
