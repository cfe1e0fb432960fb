/** Kills and pauses parts of a system at random moments, and records when. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosSystem, Disturbances } from './chaos-system.ts';
import { random } from './seeded-random.ts';

const MAX_GAP_MS = 12_000;
const MAX_OUTAGE_MS = 5000;
/** Longer than LEASE_SECONDS in chaos-trial.ts, so that another worker takes over the work of a paused one. */
const LONG_OUTAGE_MS = 14_000;
const LONG_OUTAGE_SHARE = 0.15;
/** The time that the MongoDB and Redis drivers need to notice that a service is back. */
const RECOVERY_MS = 4000;
const MEMORY_SAMPLE_MS = 500;
const KIB_PER_MB = 1000 / 1.024;

/** An outage of a part, from one time to another, in milliseconds since the epoch. */
interface Outage {
  part: string;
  kind: keyof Disturbances;
  from: number;
  until: number;
}

const outageMs = (): number => (random() < LONG_OUTAGE_SHARE ? LONG_OUTAGE_MS : random() * MAX_OUTAGE_MS);

/** Disturbs the named parts at random, one at a time, until `isOver` returns true. */
const disturb = async (
  { parts }: ChaosSystem,
  names: (keyof ChaosSystem['parts'])[],
  { outages, isOver }: { outages: Outage[]; isOver: () => boolean },
): Promise<void> => {
  while (!isOver()) {
    await sleep(random() * MAX_GAP_MS);
    if (isOver()) return;
    const part = names[Math.floor(random() * names.length)] as (typeof names)[number];
    const kind = random() < 0.5 ? 'kill' : 'pause';
    const outage = { part, kind, from: Date.now(), until: Number.POSITIVE_INFINITY } as const;
    const at = outages.push(outage) - 1;
    await parts[part][kind](outageMs());
    outages[at] = { ...outage, until: Date.now() };
  }
};

/** Disturbs workers and services independently until `isOver` returns true; returns all outages. */
export const disturbSystem = async (system: ChaosSystem, isOver: () => boolean): Promise<Outage[]> => {
  const outages: Outage[] = [];
  await Promise.all([
    disturb(system, ['worker'], { outages, isOver }),
    disturb(system, ['mongodb', 'redis', 'store'], { outages, isOver }),
  ]);
  return outages;
};

/** The number of outages by part and kind. */
export const countOutages = (outages: Outage[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { part, kind } of outages) counts[`${part} ${kind}`] = (counts[`${part} ${kind}`] ?? 0) + 1;
  return counts;
};

/** Returns for how many milliseconds between two times every part was available. */
export const undisturbedMs = (from: number, until: number, outages: Outage[]): number => {
  let [free, at] = [0, from];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    if (outage.from >= until) break;
    free += Math.max(0, outage.from - at);
    at = Math.max(at, outage.until + RECOVERY_MS);
  }
  return free + Math.max(0, until - at);
};

const peakMbOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''); // the process was killed
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / KIB_PER_MB;
};

/** Measures the highest peak memory of any worker, in MB, until `isOver` returns true. */
export const watchWorkers = async ({ workers }: ChaosSystem, isOver: () => boolean): Promise<{ peakMb: number }> => {
  let peakMb = 0;
  while (!isOver()) {
    const peaks = await Promise.all(workers.map(({ pid }) => peakMbOf(pid)));
    peakMb = Math.max(peakMb, ...peaks);
    await sleep(MEMORY_SAMPLE_MS);
  }
  return { peakMb };
};
