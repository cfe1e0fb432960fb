/** Periodic jobs, whose schedulers in Redis may be lost (F19: docs/failures.md). */
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { type JobName, jobs } from '#shared/jobs.ts';
import { restorePeriodicJobs, schedulePeriodicJobs } from '#shared/queue/periodic-jobs.ts';
import { connectQueues, getQueue, queueRedis } from '#shared/queue/queue.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { newId } from '#shared/context.ts';
import runSweeps from '../../workers/maintenance/run-sweeps.ts';
import { closeWakeUps, sendWakeUps } from '../../workers/relay/wake-ups.ts';
import { waitUntil } from '../support/wait-until.ts';

const PERIODIC = Object.entries(jobs).filter(([, job]) => 'everySeconds' in job);
const SWEEPS = Object.entries(jobs).flatMap(([name, job]) => ('isSweep' in job ? [name] : []));
const SCHEDULER = 'maintenance-run-sweeps';

const maintenance = () => getQueue('maintenance');

/** Returns the names of the Redis commands that the queues send while `work` runs. */
const commandsDuring = async (work: () => Promise<void>): Promise<string[]> => {
  const names: string[] = [];
  const redis = queueRedis as Redis;
  const send = redis.sendCommand;
  redis.sendCommand = (...args) => {
    names.push(args[0].name);
    return send.apply(redis, args);
  };
  try {
    await work();
  } finally {
    redis.sendCommand = send;
  }
  return names;
};

const schedulerIds = async (): Promise<string[]> =>
  (await maintenance().getJobSchedulers()).map(({ key }) => key).toSorted();

const EXPECTED_IDS = PERIODIC.map(([name]) => name.replace('.', '-')).toSorted();

describe('Periodic jobs', () => {
  before(connectQueues);
  beforeEach(schedulePeriodicJobs);

  it('F19: the BullMQ scheduler of a periodic job is created again if it has been lost', async () => {
    await maintenance().removeJobScheduler(SCHEDULER);
    await restorePeriodicJobs();
    expect(await schedulerIds()).to.deep.equal(EXPECTED_IDS);
  });

  it('looking for lost schedulers costs one Redis command if none is lost', async () => {
    expect(await commandsDuring(restorePeriodicJobs)).to.deep.equal(['zrange']);
  });

  it('F19: a scheduler whose next run is an hour away, because the clock was ahead, is created again', async () => {
    const key = maintenance().toKey('repeat');
    await queueRedis.zadd(key, Date.now() + 3_600_000, SCHEDULER);
    await restorePeriodicJobs();
    const next = Number(await queueRedis.zscore(key, SCHEDULER));
    expect(next).to.be.lessThan(Date.now() + 60_000);
  });

  it('workers remove the schedulers of jobs that are no longer periodic', async () => {
    await maintenance().upsertJobScheduler('maintenance-former', { every: 15_000 }, { name: 'maintenance.former' });
    await restorePeriodicJobs();
    expect(await schedulerIds()).to.deep.equal(EXPECTED_IDS);
  });

  it('one job runs every sweep once, even if one of the sweeps fails', async () => {
    const ran: string[] = [];
    const lookup = async (name: JobName) => async () => {
      ran.push(name);
      if (ran.length === 1) throw new Error('the first sweep fails');
    };
    await runSweeps(lookup)({}, new AbortController().signal);
    expect(ran.toSorted()).to.deep.equal(SWEEPS.toSorted());
  });

  it("project_user.update events enqueue at most one delayed job per second, which emits the held-back changes of agents' loads (the capacity in use)", async () => {
    const entry = { id_project: newId(), event: 'project_user.update' } as Parameters<typeof sendWakeUps>[0][number];
    const started = currentTimeMs();
    const findDelayed = async () =>
      (await maintenance().getDelayed()).filter(({ name }) => name === 'maintenance.emit-load-changes');
    const earlier = new Set((await findDelayed()).map(({ id }) => id));
    for (let count = 0; count < 5; count += 1) sendWakeUps([entry]);
    await waitUntil(async () => (await findDelayed()).some(({ id }) => !earlier.has(id)));
    const added = (await findDelayed()).filter(({ id }) => !earlier.has(id));
    closeWakeUps();
    expect(added.length).to.be.within(1, 2);
    for (const { timestamp, delay } of added) expect(timestamp + delay).to.be.at.least(started + 1000);
  });
});
