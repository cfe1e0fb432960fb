/** Checks the settings before anything is set up or started. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { InvalidSettingsError } from './errors.mjs';
import { root } from './paths.mjs';

const INVALID_EXIT_CODE = 2;

/** An environment variable for processes whose settings were checked, so that they do not repeat the warnings. */
export const SETTINGS_CHECKED_ENV = { SETTINGS_CHECKED: 'true' };

/** Prints a warning for each misspelt setting. Throws `InvalidSettingsError` with a line for each invalid setting. */
export function checkSettings(node, env) {
  const command = [path.join(root, 'shared', 'config.ts')];
  const { status, stderr } = spawnSync(node, command, { cwd: root, env, encoding: 'utf8' });
  if (status === INVALID_EXIT_CODE) throw new InvalidSettingsError(stderr.trim());
  if (stderr) process.stderr.write(stderr);
}
