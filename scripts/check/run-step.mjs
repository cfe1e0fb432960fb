import { spawn } from 'node:child_process';

/** Runs the command of a step. Resolves with its output, its duration, and whether it passed; never rejects. */
export const runStep = ({ name, command, note, node = process.execPath }) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(node, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
    const finish = (passed) => {
      const output = Buffer.concat(pieces).toString().trim();
      resolve({
        name,
        passed,
        output,
        note: note && output.split('\n').at(-1),
        seconds: (performance.now() - startedAt) / 1000,
      });
    };
    child.on('error', (error) => {
      pieces.push(Buffer.from(error.message));
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
