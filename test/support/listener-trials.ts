/** Trials of listeners in processes of their own, while leads are renamed; each ends with every renaming heard once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { aFleet, type Fleet, type Member } from './fleet.ts';
import { aLead, areHeard, expectHeardOnce, type OneLead, rename } from './leads.ts';
import { times } from './stage.ts';
import { until } from './until.ts';

const LEADS = 4;
const MAX_PAUSE_MS = 900;
const APART_MS = 150;

/** Two workers, each with every queue and the relay's turn. */
export const listeningFleet = async () => {
  const fleet = await aFleet();
  const workers = await Promise.all([fleet.worker(), fleet.worker()]);
  return { fleet, workers, close: fleet.close };
};

type Stage = Awaited<ReturnType<typeof listeningFleet>>;

const renameOften = async (lead: OneLead, isOver: () => boolean): Promise<number> => {
  let count = 0;
  while (!isOver()) {
    count += 1;
    await rename(lead, `Ann ${count}`);
    await sleep(Math.random() * APART_MS);
  }
  return count;
};

/** Rename some leads until the trouble is over; every renaming must be heard once. */
const meanwhile = async (trouble: () => Promise<void>): Promise<number> => {
  const id_project = randomUUID();
  const leads = await Promise.all(times(LEADS, () => aLead(id_project, 1)));
  let over = false;
  const renaming = leads.map((lead) => renameOften(lead, () => over));
  await trouble().finally(() => {
    over = true;
  });
  const renamings = (await Promise.all(renaming)).reduce((sum, count) => sum + count, 0);
  await until(() => areHeard(id_project, renamings), 300);
  await expectHeardOnce(id_project, renamings);
  return renamings;
};

const moment = () => sleep(Math.random() * MAX_PAUSE_MS);

/** The clock's jobs run again: none is known right after a flush. */
const ticksAgain = ({ redis }: Fleet) =>
  until(async () => (await redis.zcard(`${config.QUEUE_PREFIX}:upkeep:completed`)) > 0, 10);

/** Redis forgets everything again and again. */
export const underFlushes = ({ fleet }: Stage, flushes: number): Promise<number> =>
  meanwhile(async () => {
    for (const _ of times(flushes, Number)) {
      await moment();
      await fleet.redis.flushall();
      await ticksAgain(fleet);
    }
  });

/** Workers, and with them the relay, are killed again and again. */
export const underWorkerKills = ({ fleet, workers }: Stage, kills: number): Promise<number> =>
  meanwhile(async () => {
    for (const at of times(kills, Number)) {
      await moment();
      const place = at % workers.length;
      await (workers[place] as Member).end('SIGKILL');
      workers[place] = await fleet.worker();
    }
  });
