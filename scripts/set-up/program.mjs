/** Finding a program that runs here: each source is tried in turn, and what came of each is kept for the error. */
import { SetUpError } from './errors.mjs';
import { run } from './processes.mjs';

const newEnough = (version, least) => version.localeCompare(least, 'en', { numeric: true }) >= 0;

async function check(file, { versionOf, least }) {
  const version = versionOf.exec(await run(file, ['--version'], { timeout: 20_000 }))?.[1];
  if (!version || !newEnough(version, least)) throw new Error(`${file} is version ${version}; ${least} is the least`);
  return { file, version };
}

/**
 * The first source whose file runs and is new enough, as `{ file, version }`.
 * `wanted`: `{ name, least, versionOf, sources: [{ label, get }], waysOut }`; `get(progress)` answers a path or nothing.
 */
export async function findProgram(wanted, progress) {
  const tried = [];
  for (const { label, get } of wanted.sources) {
    try {
      const file = await get(progress);
      if (file) return await check(file, wanted);
      tried.push(`${label}: none`);
    } catch (error) {
      tried.push(`${label}: ${error.message.split('\n').at(-1)}`);
    }
  }
  throw new SetUpError(`${wanted.name} could not be had.`, { tried, waysOut: wanted.waysOut });
}
