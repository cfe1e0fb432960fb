/** Trials of the listeners for lead changes, in separate processes; each renaming must be handled exactly once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { queueKeyPrefix } from '#shared/queue/redis.ts';
import type { Fleet, FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aLead, areRenamingsHandled, expectRenamingsHandledOnce, type LeadKey, rename } from './leads.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const LEAD_COUNT = 4;
const MAX_PAUSE_MS = 900;

/**
 * Adds a worker to a system with one worker. Both workers process all queues and can run the relay. `maxGapMs` is the
 * longest pause between renamings.
 */
export const withSecondWorker = async ({ fleet, worker }: KillableWorker, { maxGapMs }: { maxGapMs: number }) => ({
  fleet,
  workers: [worker(), await fleet.worker()],
  maxGapMs,
});

type ListenerFleet = Awaited<ReturnType<typeof withSecondWorker>>;

/** How a lead is renamed: with pauses of at most `maxGapMs`, until `isStopped` returns true. */
interface Renaming {
  maxGapMs: number;
  isStopped(): boolean;
}

const renameRepeatedly = async (lead: LeadKey, { maxGapMs, isStopped }: Renaming): Promise<number> => {
  let count = 0;
  while (!isStopped()) {
    count += 1;
    await rename(lead, `Ann ${count}`);
    await sleep(random() * maxGapMs);
  }
  return count;
};

/** Renames leads until `disturb` has ended. Expects that each renaming is handled once; returns their number. */
export const renameDuring = async (
  { maxGapMs }: Pick<ListenerFleet, 'maxGapMs'>,
  disturb: () => Promise<void>,
): Promise<number> => {
  const id_project = randomUUID();
  const leads = await Promise.all(times(LEAD_COUNT, () => aLead(id_project, 1)));
  let isStopped = false;
  const renaming = leads.map((lead) => renameRepeatedly(lead, { maxGapMs, isStopped: () => isStopped }));
  await disturb().finally(() => {
    isStopped = true;
  });
  const renamings = (await Promise.all(renaming)).reduce((sum, count) => sum + count, 0);
  await waitUntil(() => areRenamingsHandled(id_project, renamings), 300);
  await expectRenamingsHandledOnce(id_project, renamings);
  return renamings;
};

const randomPause = () => sleep(random() * MAX_PAUSE_MS);

/** Waits until periodic jobs run again after a flush. */
const waitForScheduler = ({ redis }: Fleet) =>
  waitUntil(async () => (await redis.zcard(`${queueKeyPrefix('maintenance')}:maintenance:completed`)) > 0);

/** Renames leads while Redis is flushed repeatedly; returns the number of renamings. */
export const renameUnderRedisFlushes = (listeners: ListenerFleet, flushes: number): Promise<number> =>
  renameDuring(listeners, async () => {
    for (const _ of times(flushes, Number)) {
      await randomPause();
      await listeners.fleet.redis.flushall();
      await waitForScheduler(listeners.fleet);
    }
  });

/** Renames leads while workers, and with them the relay, are killed repeatedly; returns the number of renamings. */
export const renameUnderWorkerKills = (listeners: ListenerFleet, kills: number): Promise<number> => {
  const { fleet, workers } = listeners;
  return renameDuring(listeners, async () => {
    for (const kill of times(kills, Number)) {
      await randomPause();
      const index = kill % workers.length;
      await (workers[index] as FleetProcess).end('SIGKILL');
      workers[index] = await fleet.worker();
    }
  });
};
