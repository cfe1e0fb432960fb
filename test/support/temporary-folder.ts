/** Folders for the data of databases and processes that a test starts. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a folder whose name begins with `prefix`; the caller must remove it. Its parent is the folder of the test run
 * (TEST_FOLDER), which is in memory if there is room. Without TEST_FOLDER, as in benchmarks, the parent is the
 * temporary folder of the system.
 */
export const aTemporaryFolder = async (prefix: string): Promise<string> => {
  const parent = process.env.TEST_FOLDER ?? tmpdir();
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, prefix));
};
