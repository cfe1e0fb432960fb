/** Another try for the events of a project that a listener keeps aside. */
import { config } from '#shared/config.ts';
import { aside, holds, type KeptAside, keepAside, letGo, linesDue, nextTry } from '#shared/domain/events/kept-aside.ts';
import { stopping } from '../stopping.ts';
import { hear, type Listening } from './hear.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;
/** Lines of one project that are worked on side by side. */
const SLOTS = 4;
/** Events of a line that are read at once. */
const MOST = 100;

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
const retryLine = async (listening: Listening, line: string, isOver: () => boolean): Promise<void> => {
  for (const entry of await aside(listening, [line], MOST)) {
    if (isOver()) return;
    const isDue = entry.due.getTime() <= Date.now();
    const gone = isDue && (await tryAgain(listening, entry));
    if (!gone && holds({ ...entry, tries: entry.tries || 1 })) return;
  }
};

/** Try again what is due of a project, for one slice of time; then the milliseconds until more is, null when nothing of it is aside. */
export const retry = async (listening: Listening, id_project: string): Promise<number | null> => {
  const end = performance.now() + SLICE_MS;
  const isOver = () => performance.now() >= end || stopping.aborted;
  const lines = await linesDue(listening, id_project);
  const work = async (): Promise<void> => {
    for (let line = lines.shift(); line !== undefined && !isOver(); line = lines.shift())
      await retryLine(listening, line, isOver);
  };
  await Promise.all(Array.from({ length: SLOTS }, work));
  return nextTry(listening, id_project);
};
