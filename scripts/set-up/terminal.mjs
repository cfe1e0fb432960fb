/**
 * Prints the progress of the setup: one line per step with its duration, and repeated progress while a step is slow.
 */
import { performance } from 'node:perf_hooks';

const REPEAT_MS = 10_000;
let isQuiet = false;

// A closed pipe (`npm start | head`) must not stop the system.
process.stdout.on('error', () => {});

/** Makes `runSetUpStep` print only progress. */
export const setQuiet = () => {
  isQuiet = true;
};

/** Prints one line. */
export const printLine = (text = '') => process.stdout.write(`${text}\n`);

const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs one step and prints one line: its name, the `note` of its result and its duration. `work` receives a function
 * `progress(text)` for slow parts, which prints the text immediately and every 10 s until the step ends.
 */
export async function runSetUpStep(name, work) {
  const since = performance.now();
  let repeatTimer;
  const progress = (text) => {
    clearInterval(repeatTimer);
    printLine(`  … ${text}`);
    repeatTimer = setInterval(() => printLine(`  … ${text} (${secondsSince(since)})`), REPEAT_MS);
  };
  try {
    const result = await work(progress);
    if (!isQuiet) printLine(`${name.padEnd(10)} ${result.note} (${secondsSince(since)})`);
    return result;
  } finally {
    clearInterval(repeatTimer);
  }
}
