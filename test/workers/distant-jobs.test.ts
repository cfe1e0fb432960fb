import { mock } from 'node:test';
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { promoteDistantJobs } from '#shared/queue/distant-jobs.ts';
import { connectQueues, enqueue, type JobEnvelope, queues } from '#shared/queue/queue.ts';

const HOUR_MS = 3_600_000;
const DELAY_MS = 10_000;

/** The number of a project's jobs in the given state. */
const countJobs = async (state: 'waiting' | 'delayed', id_project: string): Promise<number> => {
  const queue = queues().find(({ name }) => name === 'triggers');
  const found = await queue?.getJobs([state]);
  const ofProject = found?.filter(({ data }) => {
    const { payload } = data as JobEnvelope;
    return (payload as { id_project: string }).id_project === id_project;
  });
  return ofProject?.length ?? 0;
};

describe('Delayed jobs after a jump of the clock', () => {
  before(connectQueues);

  it('promoteDistantJobs ends the delay of a job that was enqueued while the clock was an hour ahead', async () => {
    const id_project = newId();
    mock.timers.enable({ apis: ['Date'], now: Date.now() + HOUR_MS });
    await enqueue('triggers.run', { id_project }, DELAY_MS).finally(() => mock.timers.reset());
    await enqueue('triggers.run', { id_project });
    expect(await countJobs('waiting', id_project), 'merged into the delayed job').to.equal(0);
    await promoteDistantJobs();
    expect(await countJobs('waiting', id_project)).to.equal(1);
    expect(await countJobs('delayed', id_project)).to.equal(0);
  });

  it('promoteDistantJobs does not end the delay of a job that is due in ten seconds', async () => {
    const id_project = newId();
    await enqueue('triggers.run', { id_project }, DELAY_MS);
    await promoteDistantJobs();
    expect(await countJobs('delayed', id_project)).to.equal(1);
  });
});
