/** Running files of tests in several processes, each of which is given the next file when it has finished one. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../set-up/paths.mjs';

const PROCESS = path.join(root, 'test', 'support', 'suite-process.mjs');

/** The result of a file whose process ended before it was done. */
const brokenOff = (file, how, seconds) => ({
  ...{ file, seconds, cpu: 0, passes: 0, pending: 0 },
  failures: [`  1) ${file}:\n     The process that ran this file ended with ${how} before the file was done.\n`],
});

const outputOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** One process: `next()` is its next file, `done(result, output)` is called for each; resolves when it has ended. */
const runProcess = ({ number, env, node, owns, folder, timeout, stopping, next, done }) =>
  new Promise((resolve, reject) => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = spawn(node, [PROCESS], { cwd: root, env, stdio, detached: true });
    const output = path.join(folder, `output-${number}`);
    let current;
    let ended = false;
    let since;
    const give = () => {
      current = next();
      since = performance.now();
      child.send(current ? { file: current, output, timeout } : { end: true });
      ended = !current;
    };
    child.on('message', (result) => {
      if (result.file) done(result, outputOf(output));
      give();
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (stopping()) return;
      const how = signal ?? `code ${code}`;
      if (!current && !(ended && code === 0))
        return reject(new Error(`A process of the suite ended with ${how}, see above.`));
      if (current) done(brokenOff(current, how, (performance.now() - since) / 1000), outputOf(output));
      return resolve(current ? how : undefined);
    });
    owns(child);
  });

/** A process that dies is replaced, so that every file has its result; not so when the run was told to stop. */
async function keepRunning(setting) {
  while (!setting.stopping() && (await runProcess(setting)));
}

/**
 * Run every file, `files` in the order of their length, in the two environments; `done(result, output)` is called for each.
 * One process takes the longest file that is left, the other one the shortest: so the files that start processes of
 * their own do not run at the same time, and both processes end with files of middling length.
 */
export async function runFiles(files, [first, second], setting) {
  const left = [...files];
  await Promise.all([
    keepRunning({ ...setting, env: first, number: 1, next: () => left.shift() }),
    keepRunning({ ...setting, env: second, number: 2, next: () => left.pop() }),
  ]);
}
