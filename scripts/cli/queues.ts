/** `npm run cli -- queues …` */
import type { Command } from 'commander';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import {
  type FailedSelection,
  findFailedJobs,
  findQueues,
  groupFailedJobs,
} from '#shared/domain/operations/failed-jobs.ts';
import { readQueueFigures } from '#shared/domain/operations/queue-figures.ts';
import { AppError } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable, printable } from './print.ts';

interface JsonOption {
  json?: true;
}

const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

const listQueues = async ({ json }: JsonOption): Promise<void> => {
  const figures = await readQueueFigures();
  if (json) return printJson(figures);
  const rows = figures.map(({ name, counts: { waiting, active, delayed, failed }, oldestAgeSeconds, isPaused }) => [
    ...[name, waiting, active, delayed, failed, Math.round(oldestAgeSeconds), isPaused ? 'paused' : 'running'],
  ]);
  console.log(formatTable([['queue', 'waiting', 'active', 'delayed', 'failed', 'oldest (s)', 'state'], ...rows]));
};

const listFailed = async (names: string[], { json }: JsonOption): Promise<void> => {
  const groups = await groupFailedJobs(names);
  if (json) return printJson(groups);
  if (!groups.length) return console.log('No failed jobs.');
  const rows = groups.map(({ queue, job, count, newest, reason, explanation }) => [
    ...[queue, job, count, newest.toISOString(), printable(reason), explanation],
  ]);
  console.log(formatTable([['queue', 'job', 'count', 'newest', 'reason', 'what to do'], ...rows]));
};

interface SelectionOptions {
  job?: string;
  reason?: string;
  dryRun?: true;
}

const describe = ({ queue, job = 'all jobs', reason }: FailedSelection): string =>
  `${queue}, ${job}${reason ? `, reason ${reason}` : ''}`;

/** Retries or discards the selected failed jobs. */
const processFailed = async (verb: 'retry' | 'discard', selection: FailedSelection, { dryRun }: SelectionOptions) => {
  const failed = await findFailedJobs(selection);
  if (dryRun) return console.log(`Would ${verb} ${formatCount(failed.length, 'failed job')}.`);
  await recordCliAction(`queues ${verb}`, describe(selection));
  for (const job of failed) await (verb === 'retry' ? job.retry() : job.remove());
  const result = verb === 'retry' ? 'will run again' : 'discarded';
  console.log(`${formatCount(failed.length, 'failed job')} ${result}.`);
};

const setPaused = async (names: string[], { all, paused }: { all?: true; paused: boolean }): Promise<void> => {
  if (!names.length && !all) throw new AppError(400, 'INVALID', 'Name at least one queue, or use --all');
  const chosen = findQueues(names);
  const verb = paused ? 'pause' : 'resume';
  await recordCliAction(`queues ${verb}`, chosen.map(({ name }) => name).join(', '));
  for (const queue of chosen) await (paused ? queue.pause() : queue.resume());
  const state = paused ? 'paused: running jobs finish, and no other job starts' : 'running';
  console.log(`${chosen.map(({ name }) => name).join(', ')}: ${state}.`);
};

const addFailedCommand = (queues: Command, verb: 'retry' | 'discard', description: string): void => {
  queues
    .command(`${verb} <queue>`)
    .description(description)
    .option('--job <name>', 'only jobs of this name')
    .option('--reason <text>', 'only jobs whose error contains this text')
    .option('--dry-run', 'only count the jobs')
    .action((queue: string, options: SelectionOptions) =>
      withMongo(() => withQueues(() => processFailed(verb, { queue, ...options }, options))),
    );
};

const addPauseCommand = (queues: Command, paused: boolean, description: string): void => {
  queues
    .command(`${paused ? 'pause' : 'resume'} [queues...]`)
    .description(description)
    .option('--all', 'all queues')
    .action((names: string[], { all }: { all?: true }) =>
      withMongo(() => withQueues(() => setPaused(names, { all, paused }))),
    );
};

/** Adds the `queues` commands. */
export const addQueueCommands = (program: Command): void => {
  const queues = program.command('queues').description('job queues');
  queues
    .command('list')
    .description('count the jobs of each queue, with the age of the oldest waiting job')
    .option('--json', 'print JSON')
    .action((options: JsonOption) => withQueues(() => listQueues(options)));
  queues
    .command('failed [queues...]')
    .description('group the failed jobs by name and reason, and explain each group')
    .option('--json', 'print JSON')
    .action((names: string[], options: JsonOption) => withQueues(() => listFailed(names, options)));
  addFailedCommand(queues, 'retry', 'run failed jobs again');
  addFailedCommand(
    queues,
    'discard',
    'delete failed jobs; the work is recorded in MongoDB, and sweeps enqueue it again',
  );
  addPauseCommand(queues, true, 'start no more jobs of these queues in any worker');
  addPauseCommand(queues, false, 'start jobs of these queues again');
};
