/** The end of the report on several files: every failure, the slowest files, the totals in one line. */
import { say } from '../set-up/terminal.mjs';

const SLOWEST = 15;

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

const column = (seconds) => seconds.toFixed(1).padStart(6);

/** One line above what a file printed. */
export const fileLine = ({ file, seconds, failures }) =>
  `${file} (${seconds.toFixed(1)} s)${failures.length > 0 ? ` ${failures.length} failed` : ''}`;

/** Print every failure as mocha does, numbered through. */
export function printFailures(results) {
  const texts = results.flatMap(({ failures, file }) => failures.map((text) => ({ text, file })));
  if (texts.length > 0) say(`\nFailures\n`);
  for (const [index, { text, file }] of texts.entries()) say(`${file}\n${text.replace('1)', `${index + 1})`)}`);
}

/** Print the files that took longest, with the CPU time of their tests and of the processes that these started and ended. */
export function printSlowest(results) {
  say('\nSlowest files');
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  for (const { file, seconds, cpu } of slowest) say(`  ${column(seconds)} s  ${column(cpu)} s CPU  ${file}`);
  say(`  ${column(sum(results.map(({ cpu }) => cpu)))} s CPU in all files, without MongoDB and Redis`);
}

/** The line that ends the run: how many passed, failed, were skipped. */
export function totalLine(results) {
  const [passed, failed, skipped] = [
    sum(results.map(({ passes }) => passes)),
    sum(results.map(({ failures }) => failures.length)),
    sum(results.map(({ pending }) => pending)),
  ];
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
