/**
 * Loaded into a process with `--import`: shifts its clock by the number of milliseconds in the file that
 * CLOCK_OFFSET_FILE names. The file is read ten times a second, so that a test can make the clock jump.
 */
import { readFileSync } from 'node:fs';

const READ_INTERVAL_MS = 100;
const SystemDate = Date;
let offsetMs = 0;

const readOffset = () => {
  try {
    offsetMs = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8'));
  } catch {
    // Without a file, the clock is not shifted.
  }
};

const now = () => SystemDate.now() + offsetMs;

readOffset();
setInterval(readOffset, READ_INTERVAL_MS).unref();
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
