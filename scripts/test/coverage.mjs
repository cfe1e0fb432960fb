/** Coverage: every process of a run writes its own, V8 counts it, c8 adds it up. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from '../set-up/paths.mjs';

const folderOf = (folder) => path.join(folder, 'coverage');

/** The setting by which a process, and every process that it starts, writes its coverage. */
export const coverageSetting = (folder) => ({ NODE_V8_COVERAGE: folderOf(folder) });

/** Print the summary of what all processes of the run covered. */
export const reportCoverage = ({ folder, node, closers }) =>
  new Promise((resolve, reject) => {
    const command = [
      path.join(root, 'node_modules/c8/bin/c8.js'),
      ...['report', '--reporter', 'text-summary', '--temp-directory', folderOf(folder), '--exclude-after-remap'],
      ...['api', 'shared', 'workers'].flatMap((name) => ['--include', `${name}/**`]),
    ];
    const child = spawn(node, command, { cwd: root, stdio: 'inherit' });
    closers.push(() => child.kill('SIGKILL'));
    child.once('error', reject).once('exit', resolve);
  });
