/** What the set-up says on the terminal: one line a step, with its time, and signs of life while something is fetched. */
import { performance } from 'node:perf_hooks';

const TICK = 10_000;
let quiet = false;

// A reader that goes away (`npm start | head`) must not end the server.
process.stdout.on('error', () => {});

/** From now on only progress is said: `npm test` has a report of its own. */
export const beQuiet = () => {
  quiet = true;
};

/** One line on the terminal. */
export const say = (text = '') => process.stdout.write(`${text}\n`);

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Do one step and print it in one line: its name, the `note` of what `work` answers, its time.
 * `work` gets `progress(text)` to say what takes long; the text is said again every 10 s until the step ends.
 */
export async function step(name, work) {
  const since = performance.now();
  let ticking;
  const progress = (text) => {
    clearInterval(ticking);
    say(`  … ${text}`);
    ticking = setInterval(() => say(`  … ${text} (${seconds(since)})`), TICK);
  };
  try {
    const result = await work(progress);
    if (!quiet) say(`${name.padEnd(10)} ${result.note} (${seconds(since)})`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}
