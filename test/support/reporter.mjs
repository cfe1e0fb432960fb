/** Mocha's spec report, then the slowest files and one plain line of totals. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import mocha from 'mocha';

const { EVENT_RUN_END, EVENT_TEST_PENDING, EVENT_SUITE_BEGIN, EVENT_SUITE_END } = mocha.Runner.constants;
const SLOWEST = 10;

/** The reason given to `notRun` for this test or for a suite around it. */
const reasonOf = (at) => at && (at.notRun ?? reasonOf(at.parent));

const outermost = (suite) => !suite.root && suite.parent.root;

/** Seconds each file took, hooks included. */
function timeFiles(runner) {
  const times = new Map();
  let since;
  runner.on(EVENT_SUITE_BEGIN, (suite) => {
    if (outermost(suite)) since = performance.now();
  });
  runner.on(EVENT_SUITE_END, (suite) => {
    if (outermost(suite)) times.set(suite.file, (times.get(suite.file) ?? 0) + performance.now() - since);
  });
  return times;
}

function printSlowest(times) {
  const slowest = [...times].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log('Slowest files');
  for (const [file, time] of slowest)
    console.log(`  ${(time / 1000).toFixed(1).padStart(6)} s  ${path.relative('', file)}`);
}

const plainLine = ({ passes, failures, pending }) =>
  `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`;

/** Print why a test is not run, below its title. */
export function printReasons(runner) {
  runner.on(EVENT_TEST_PENDING, (test) => {
    const reason = reasonOf(test);
    if (reason) console.log(`      not run: ${reason}`);
  });
}

/** The reporter; with `TEST_TOTALS` set the plain line goes into that file, for `npm test` to print last. */
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
