/** Erases the data of a person from Redis: from finished jobs, and from the event streams of the queues. */
import { queueRedis, queues } from '../../queue/queue.ts';
import { bytesPattern, valuePattern } from './patterns.ts';
import type { Person } from './person.ts';

const PER_READ = 500;

type Queue = ReturnType<typeof queues>[number];

/** Removes matching finished jobs of a queue, the last one first, because a removal moves the jobs after it. */
const eraseFinished = async (queue: Queue, state: 'completed' | 'failed', { matches, dryRun }: ErasureOptions) => {
  const { [state]: total = 0 } = await queue.getJobCounts(state);
  let count = 0;
  for (let end = total - 1; end >= 0; end -= PER_READ)
    for (const job of await queue.getJobs([state], Math.max(0, end - PER_READ + 1), end)) {
      if (!matches(JSON.stringify(job))) continue;
      count += 1;
      if (!dryRun) await job.remove();
    }
  return count;
};

/** Removes the matching entries from the stream in which BullMQ reports the events of a queue. */
const eraseQueueEvents = async (queue: Queue, { matches, dryRun }: ErasureOptions): Promise<number> => {
  const stream = queue.toKey('events');
  let [count, next] = [0, '-'];
  for (;;) {
    const entries = await queueRedis.xrange(stream, next, '+', 'COUNT', PER_READ);
    const ids = entries.flatMap(([id, fields]) => (matches(fields.join(' ')) ? [id] : []));
    count += ids.length;
    if (ids.length && !dryRun) await queueRedis.xdel(stream, ...ids);
    if (entries.length < PER_READ) return count;
    next = `(${entries.at(-1)?.[0]}`;
  }
};

interface ErasureOptions {
  matches: (text: string) => boolean;
  dryRun: boolean;
}

/**
 * Removes the finished jobs and the stream entries that contain data of the person; in a dry run, only counts them.
 * Returns their number. Leaves waiting jobs, which contain only ids and run soon.
 */
export const eraseJobs = async (person: Person, dryRun: boolean): Promise<number> => {
  const [ids, values] = [bytesPattern(person), valuePattern(person)];
  const options = { matches: (text: string) => ids.test(text) || text.search(values) >= 0, dryRun };
  let count = 0;
  for (const queue of queues()) {
    count += await eraseFinished(queue, 'completed', options);
    count += await eraseFinished(queue, 'failed', options);
    count += await eraseQueueEvents(queue, options);
  }
  return count;
};
