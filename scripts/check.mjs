/**
 * Checks the code: types, lint, format, unused code, the project's own rules (import cycles among them) and generated text.
 * `--fix` formats, mends what lint can mend and writes the generated text anew.
 */
import { fileURLToPath } from 'node:url';
import { runStep } from './check/run-step.mjs';
import { stepsOf } from './check/steps.mjs';
import { explain } from './set-up/errors.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { say } from './set-up/terminal.mjs';

const print = ({ name, passed, seconds, note, output }) => {
  const verdict = passed ? 'ok    ' : 'FAILED';
  say(`${name.padEnd(10)}${verdict}${seconds.toFixed(1).padStart(6)} s${passed && note ? `  ${note}` : ''}`);
  if (!passed) say(`\n${output}\n`);
  return passed;
};

const atOnce = (steps, run) => Promise.all(steps.map(run));

// Two menders at once would overwrite each other's work.
const inTurn = async (steps, run) => {
  const results = [];
  for (const step of steps) results.push(await run(step));
  return results;
};

const main = async () => {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  await ensurePackages(say);
  const fix = process.argv.includes('--fix');
  const steps = stepsOf({ fix, node: findNode() });
  const passed = await (fix ? inTurn : atOnce)(steps, async (step) => print(await runStep(step)));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
};

await main().catch((error) => {
  say(explain(error));
  process.exitCode = 1;
});
