/** `npm run cli -- jobs …` */
import type { Command } from 'commander';
import { queues } from '#shared/queue/queue.ts';
import { withQueues } from './connections.ts';
import { formatTable } from './print.ts';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

const listQueues = async (): Promise<void> => {
  const rows = queues().map(async (queue) => {
    const counts = await queue.getJobCounts(...STATES);
    return [queue.name, ...STATES.map((state) => counts[state] ?? 0)];
  });
  console.log(formatTable([['queue', ...STATES], ...(await Promise.all(rows))]));
};

/** Adds the `jobs` commands. */
export const addJobCommands = (program: Command): void => {
  const jobs = program.command('jobs').description('job queues');
  jobs
    .command('list')
    .description('count the jobs of each queue')
    .action(() => withQueues(listQueues));
};
