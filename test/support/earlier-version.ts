/** The code of an earlier commit in a temporary folder, with the packages of this version. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Writes the files of a commit to a new folder. Throws if the commit is unknown, as in a clone without history. */
export const anEarlierVersion = async (commit: string) => {
  const { stdout } = await run('git', ['rev-parse', '--short', `${commit}^{commit}`]);
  const folder = await mkdtemp(join(tmpdir(), 'earlier-version-'));
  const archive = join(folder, 'files.tar');
  await run('git', ['archive', '--output', archive, commit]);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  await symlink(new URL('../../node_modules', import.meta.url), join(folder, 'node_modules'));
  return {
    id: stdout.trim(),
    root: pathToFileURL(`${folder}/`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
