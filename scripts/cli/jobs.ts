/** `npm run cli -- jobs …` */
import type { Command } from 'commander';
import { queues } from '#shared/queue.ts';
import { table } from './print.ts';
import { withQueues } from './services.ts';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

const list = async (): Promise<void> => {
  const counted = queues().map(async (queue) => {
    const counts = await queue.getJobCounts(...STATES);
    return [queue.name, ...STATES.map((state) => counts[state] ?? 0)];
  });
  console.log(table([['queue', ...STATES], ...(await Promise.all(counted))]));
};

/** What can be asked of the queues. */
export const addJobs = (program: Command): void => {
  const jobs = program.command('jobs').description('the queues');
  jobs
    .command('list')
    .description('count the jobs of each queue')
    .action(() => withQueues(list));
};
