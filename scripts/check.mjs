/**
 * Checks the code: types, lint, format, unused code, the project's own rules (including import cycles) and generated
 * text. `--fix` formats, applies lint fixes and regenerates the text.
 */
import { fileURLToPath } from 'node:url';
import { runStep } from './check/run-step.mjs';
import { checkSteps } from './check/steps.mjs';
import { explainError } from './set-up/errors.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { printLine } from './set-up/terminal.mjs';

const printResult = ({ name, passed, seconds, note, output }) => {
  const verdict = passed ? 'ok    ' : 'FAILED';
  printLine(`${name.padEnd(10)}${verdict}${seconds.toFixed(1).padStart(6)} s${passed && note ? `  ${note}` : ''}`);
  if (!passed) printLine(`\n${output}\n`);
  return passed;
};

const runInParallel = (steps, run) => Promise.all(steps.map(run));

// Parallel fixes would overwrite each other.
const runInSequence = async (steps, run) => {
  const results = [];
  for (const step of steps) results.push(await run(step));
  return results;
};

const main = async () => {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  await ensurePackages(printLine);
  const fix = process.argv.includes('--fix');
  const steps = checkSteps({ fix, node: findNode() });
  const passed = await (fix ? runInSequence : runInParallel)(steps, async (step) => printResult(await runStep(step)));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
};

await main().catch((error) => {
  printLine(explainError(error));
  process.exitCode = 1;
});
