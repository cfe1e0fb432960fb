/** Finds the failed jobs of the queues, and groups them by name and reason. */
import { notFound } from '../../errors.ts';
import { queues } from '../../queue/queue.ts';
import { explainFailure, reasonOf } from './explain-failure.ts';

/** BullMQ keeps at most this many failed jobs of a queue in Redis (see the job options in shared/queue/queue.ts). */
const MAX_FAILED = 1000;

type Queue = ReturnType<typeof queues>[number];
type FailedJob = Awaited<ReturnType<Queue['getFailed']>>[number];

/** Returns the queues with these names, or all queues if no name is given. Throws 404 for an unknown name. */
export const findQueues = (names: string[] = []): Queue[] => {
  const all = queues();
  const unknown = names.find((name) => !all.some((queue) => queue.name === name));
  if (unknown) throw notFound(`No queue ${unknown}; the queues are: ${all.map(({ name }) => name).join(', ')}`);
  return names.length ? all.filter(({ name }) => names.includes(name)) : all;
};

/** Failed jobs with the same name and reason. */
export interface FailureGroup {
  queue: string;
  job: string;
  count: number;
  reason: string;
  explanation: string;
  newest: Date;
}

const addToGroup = (groups: Map<string, FailureGroup>, queue: string, failed: FailedJob): void => {
  const { name: job, failedReason, finishedOn = 0 } = failed;
  const reason = reasonOf(failedReason);
  const key = `${job} ${reason}`;
  const group = groups.get(key);
  const newest = new Date(Math.max(group?.newest.getTime() ?? 0, finishedOn));
  const explanation = explainFailure(failedReason ?? '');
  groups.set(key, { queue, job, count: (group?.count ?? 0) + 1, reason, explanation, newest });
};

const groupsOf = async (queue: Queue): Promise<FailureGroup[]> => {
  const groups = new Map<string, FailureGroup>();
  for (const job of await queue.getFailed(0, MAX_FAILED - 1)) if (job) addToGroup(groups, queue.name, job);
  return [...groups.values()];
};

/** Groups the failed jobs by name and reason, the largest group first. */
export const groupFailedJobs = async (names: string[] = []): Promise<FailureGroup[]> => {
  const groups = await Promise.all(findQueues(names).map(groupsOf));
  return groups.flat().toSorted((one, other) => other.count - one.count);
};

/** Selects failed jobs of a queue. */
export interface FailedSelection {
  queue: string;
  /** Only jobs with this name. */
  job?: string;
  /** Only jobs whose error, or whose reason in a `FailureGroup`, contains this text. */
  reason?: string;
}

/** Finds the failed jobs of a selection. */
export const findFailedJobs = async ({ queue: name, job, reason = '' }: FailedSelection): Promise<FailedJob[]> => {
  const [queue] = findQueues([name]);
  const failed = (await queue?.getFailed(0, MAX_FAILED - 1)) ?? [];
  return failed.filter(
    (each) =>
      each &&
      each.name === (job ?? each.name) &&
      (each.failedReason?.includes(reason) || reasonOf(each.failedReason).includes(reason)),
  );
};
