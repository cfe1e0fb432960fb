/** Another try for the events that a listener keeps aside. */
import { config } from '#shared/config.ts';
import { aside, holds, type KeptAside, keepAside, letGo, nextTry, linesDue } from '#shared/domain/events/kept-aside.ts';
import { stopping } from '../stopping.ts';
import { hear, type Listening } from './hear.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;
const AT_ONCE = 16;

/** True when it is no longer aside: heard, or given up. */
const tryAgain = async (listening: Listening, entry: KeptAside): Promise<boolean> => {
  try {
    await hear(listening, entry);
  } catch (error) {
    if (await keepAside(listening, entry, { ...entry, error })) return false;
  }
  await letGo(listening, entry);
  return true;
};

/** Try a line's events in their order, until one is left that still holds those behind it. */
const retryLine = async (listening: Listening, line: string): Promise<void> => {
  for (const entry of await aside(listening, [line])) {
    const isDue = entry.due.getTime() <= Date.now();
    const gone = isDue && (await tryAgain(listening, entry));
    if (!gone && holds({ ...entry, tries: entry.tries || 1 })) return;
  }
};

/** Try again what is due, for one slice of time; then the milliseconds until more is, null when nothing is aside. */
export const retry = async (listening: Listening): Promise<number | null> => {
  const end = performance.now() + SLICE_MS;
  const lines = await linesDue(listening);
  while (lines.length && performance.now() < end && !stopping.aborted)
    await Promise.all(lines.splice(0, AT_ONCE).map((line) => retryLine(listening, line)));
  return nextTry(listening);
};
