/** Runs groups of test files in several processes. Each process receives the next file when it has finished one. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../set-up/paths.mjs';
import { SUITE_V8_OPTIONS } from './v8-options.mjs';

const PROCESS_SCRIPT = path.join(root, 'test', 'support', 'suite-process.mjs');

/** Returns the result of a file whose process exited before the file was finished. */
const crashedResult = (file, ending, seconds) => ({
  ...{ file, seconds, cpu: 0, passes: 0, pending: 0 },
  failures: [
    `  1) ${file}:\n     The process that ran this file exited with ${ending} before the file was finished.\n`,
  ],
});

const readOutput = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/**
 * Runs one process until it exits. `nextFile()` returns the next file for it, as `{ file, endsGroup }`. Calls
 * `onResult(result, output)` for each finished file. Resolves with the signal or exit code if the process crashed while
 * it ran a file, or with undefined if it exited after the last file. Rejects if it crashed between files. Stays pending
 * while the run is being stopped.
 */
const runProcess = ({ number, env, node, registerChild, folder, timeout, isStopping, nextFile, onResult }) =>
  new Promise((resolve, reject) => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = spawn(node, [...SUITE_V8_OPTIONS, PROCESS_SCRIPT], { cwd: root, env, stdio, detached: true });
    const output = path.join(folder, `output-${number}`);
    let current;
    let isEndRequested = false;
    let startedAt;
    const sendNext = () => {
      const next = nextFile();
      current = next?.file;
      startedAt = performance.now();
      child.send(next ? { ...next, output, timeout } : { end: true });
      isEndRequested = !next;
    };
    child.on('message', (result) => {
      if (result.file) onResult(result, readOutput(output));
      sendNext();
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (isStopping()) return;
      const ending = signal ?? `code ${code}`;
      if (!current && !(isEndRequested && code === 0))
        return reject(new Error(`A process of the suite exited with ${ending}. See the output above.`));
      if (current) onResult(crashedResult(current, ending, (performance.now() - startedAt) / 1000), readOutput(output));
      return resolve(current ? ending : undefined);
    });
    registerChild(child);
  });

/** Runs a process, and another one after each crash, until no file remains or the run is being stopped. */
async function runUntilDone(setting) {
  while (!setting.isStopping() && (await runProcess(setting)));
}

/** Returns a function that returns one file per call, group by group; `takeGroup()` returns the next group. */
function filesInTurn(takeGroup) {
  let group = [];
  return () => {
    if (group.length === 0) group = [...(takeGroup() ?? [])];
    const file = group.shift();
    return file && { file, endsGroup: group.length === 0 };
  };
}

/**
 * Runs all groups of files, with one process per environment. `groups` is ordered by duration, longest first. The first
 * process takes the longest remaining group, and the others take the shortest. The longest files, which start many
 * processes, then do not run at the same time, and all processes end with files of medium length.
 */
export async function runGroups(groups, environments, setting) {
  const remaining = [...groups];
  await Promise.all(
    environments.map((env, index) =>
      runUntilDone({
        ...setting,
        env,
        number: index + 1,
        nextFile: filesInTurn(() => (index === 0 ? remaining.shift() : remaining.pop())),
      }),
    ),
  );
}
