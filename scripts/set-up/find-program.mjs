/** Finds a program that runs on this machine: tries each source in turn, and collects the failures for the error. */
import { SetUpError } from './errors.mjs';
import { runProgram } from './processes.mjs';

const isNewEnough = (version, minVersion) => version.localeCompare(minVersion, 'en', { numeric: true }) >= 0;

async function checkVersion(file, { versionPattern, minVersion }) {
  const version = versionPattern.exec(await runProgram(file, ['--version'], { timeout: 20_000 }))?.[1];
  if (!version) throw new Error(`${file} printed no recognizable version; ${minVersion} or newer is needed`);
  if (!isNewEnough(version, minVersion))
    throw new Error(`${file} is version ${version}; ${minVersion} or newer is needed`);
  return { file, version };
}

/**
 * Returns the first program that runs and is new enough, as `{ file, version }`. `program` is `{ name, minVersion,
 * versionPattern, sources: [{ label, get }], remedies }`, where `get(progress)` returns a path or nothing. Throws
 * `SetUpError` if no source has such a program.
 */
export async function findProgram(program, progress) {
  const tried = [];
  for (const { label, get } of program.sources) {
    try {
      const file = await get(progress);
      if (file) return await checkVersion(file, program);
      tried.push(`${label}: not found`);
    } catch (error) {
      tried.push(`${label}: ${error.message.split('\n').at(-1)}`);
    }
  }
  throw new SetUpError(`${program.name} could not be found or downloaded.`, { tried, remedies: program.remedies });
}
