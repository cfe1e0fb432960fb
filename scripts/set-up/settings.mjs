/** Checking the settings before anything is set up or started. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { RefusedError } from './errors.mjs';
import { root } from './paths.mjs';

const INVALID = 2;

/** What a process of ours is told once its settings were checked: it prints no warning a second time. */
export const CHECKED = { SETTINGS_CHECKED: 'true' };

/** Print a warning for each misspelt setting; throw `RefusedError` with a line for each invalid one. */
export function checkSettings(node, env) {
  const command = [path.join(root, 'shared', 'config.ts')];
  const { status, stderr } = spawnSync(node, command, { cwd: root, env, encoding: 'utf8' });
  if (status === INVALID) throw new RefusedError(stderr.trim());
  if (stderr) process.stderr.write(stderr);
}
