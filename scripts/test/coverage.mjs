/** Measures coverage: each process of a run writes its V8 coverage, and c8 merges the files. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from '../set-up/paths.mjs';

const coverageFolder = (folder) => path.join(folder, 'coverage');

/** The environment in which a process and its children write their coverage. */
export const coverageEnvironment = (folder) => ({ NODE_V8_COVERAGE: coverageFolder(folder) });

/** Prints the coverage summary of a run. */
export const reportCoverage = ({ folder, node, closers }) =>
  new Promise((resolve, reject) => {
    const command = [
      path.join(root, 'node_modules/c8/bin/c8.js'),
      ...['report', '--reporter', 'text-summary', '--temp-directory', coverageFolder(folder), '--exclude-after-remap'],
      ...['api', 'shared', 'workers'].flatMap((name) => ['--include', `${name}/**`]),
    ];
    const child = spawn(node, command, { cwd: root, stdio: 'inherit' });
    closers.push(() => child.kill('SIGKILL'));
    child.once('error', reject).once('exit', resolve);
  });
