/** Prints the end of the test report: all failures, the slowest files, and the totals in one line. */
import { printLine } from '../set-up/terminal.mjs';

const SLOWEST_COUNT = 15;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const secondsCell = (seconds) => seconds.toFixed(1).padStart(6);

/** Returns the heading of a file's output. */
export const formatFileLine = ({ file, seconds, cpu, failures }) =>
  `${file} (${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s CPU)${failures.length > 0 ? ` ${failures.length} failed` : ''}`;

/** Prints all failures in mocha's format, numbered consecutively. */
export function printFailures(results) {
  const texts = results.flatMap(({ failures, file }) => failures.map((text) => ({ text, file })));
  if (texts.length > 0) printLine(`\nFailures\n`);
  for (const [index, { text, file }] of texts.entries()) printLine(`${file}\n${text.replace('1)', `${index + 1})`)}`);
}

/**
 * Prints the slowest files, with the CPU time of their tests and of the child processes that have exited.
 */
export function printSlowest(results) {
  printLine('\nSlowest files');
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_COUNT);
  for (const { file, seconds, cpu } of slowest)
    printLine(`  ${secondsCell(seconds)} s  ${secondsCell(cpu)} s CPU  ${file}`);
  printLine(`  ${secondsCell(sum(results.map(({ cpu }) => cpu)))} s CPU in all files, excluding MongoDB and Redis`);
}

/** Returns the last line of a run: how many tests passed, failed and were skipped. */
export function formatTotals(results) {
  const [passed, failed, skipped] = [
    sum(results.map(({ passes }) => passes)),
    sum(results.map(({ failures }) => failures.length)),
    sum(results.map(({ pending }) => pending)),
  ];
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
