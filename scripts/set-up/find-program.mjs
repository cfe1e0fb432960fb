/** Finds a program that runs on this machine: tries each source in turn and keeps the results for the error. */
import { SetUpError } from './errors.mjs';
import { runProgram } from './processes.mjs';

const isNewEnough = (version, least) => version.localeCompare(least, 'en', { numeric: true }) >= 0;

async function checkVersion(file, { versionOf, least }) {
  const version = versionOf.exec(await runProgram(file, ['--version'], { timeout: 20_000 }))?.[1];
  if (!version || !isNewEnough(version, least))
    throw new Error(`${file} is version ${version}; ${least} or newer is needed`);
  return { file, version };
}

/**
 * Returns the first program that runs and is new enough, as `{ file, version }`. `wanted` is `{ name, least, versionOf,
 * sources: [{ label, get }], waysOut }`; `get(progress)` returns a path or nothing.
 */
export async function findProgram(wanted, progress) {
  const tried = [];
  for (const { label, get } of wanted.sources) {
    try {
      const file = await get(progress);
      if (file) return await checkVersion(file, wanted);
      tried.push(`${label}: none`);
    } catch (error) {
      tried.push(`${label}: ${error.message.split('\n').at(-1)}`);
    }
  }
  throw new SetUpError(`${wanted.name} could not be found or fetched.`, { tried, waysOut: wanted.waysOut });
}
