/** Checks of the queues and of the work that is due. */
import { config } from '../config.ts';
import { readOverdueWork } from '../domain/operations/overdue-work.ts';
import { readQueueFigures } from '../domain/operations/queue-figures.ts';
import { formatCount } from '../format-count.ts';
import { CONTENT_STATUS, KbContent } from '../models/kb-content.ts';
import { currentTimeMs } from '../time/clock.ts';
import { type Check, error, type Finding, formatSeconds, warning } from './check.ts';

/**
 * Waiting for this long may still be normal: lost jobs wait for the next sweep, and the work of a killed worker waits
 * for the end of its lease.
 */
const MAX_AGE_SECONDS = Math.max(300, 2 * (config.LEASE_SECONDS + config.SWEEP_INTERVAL_SECONDS));
const MAX_FAILED_JOBS = 10;

const checkQueues = async (): Promise<Finding[]> => {
  const figures = await readQueueFigures();
  return figures.flatMap(({ name, counts, isPaused, oldestAgeSeconds }) => [
    ...(isPaused ? [warning(`The queue ${name} is paused`, `npm run cli -- queues resume ${name}`)] : []),
    ...(oldestAgeSeconds > MAX_AGE_SECONDS
      ? [
          error(
            `The queue ${name} has ${formatCount(counts.waiting, 'waiting job')}; the oldest has waited for ${formatSeconds(oldestAgeSeconds)}`,
            `Start more workers: npm run workers -- --queues ${name}`,
          ),
        ]
      : []),
    ...(counts.failed > MAX_FAILED_JOBS
      ? [warning(`The queue ${name} has ${counts.failed} failed jobs`, `npm run cli -- queues failed ${name}`)]
      : []),
  ]);
};

const checkOverdueWork = async (): Promise<Finding[]> => {
  const work = await readOverdueWork();
  return work
    .filter(({ oldestAgeSeconds }) => oldestAgeSeconds > MAX_AGE_SECONDS)
    .map(({ name, queue, count, oldestAgeSeconds }) =>
      error(
        `Overdue ${name.replace('_', ' ')}: ${count}, the oldest for ${formatSeconds(oldestAgeSeconds)}`,
        `Start workers for the queues ${queue} and maintenance; npm run cli -- queues failed ${queue} shows why jobs fail.`,
      ),
    );
};

/**
 * A sweep takes over the contents that a worker was processing when it died. If contents with an expired lease remain,
 * no sweep is running.
 */
const checkLeases = async (): Promise<Finding[]> => {
  const expired = new Date(currentTimeMs() - MAX_AGE_SECONDS * 1000);
  const running = { $in: [CONTENT_STATUS.fetching, CONTENT_STATUS.indexing] as number[] };
  const count = await KbContent.countDocuments({ status: running, leaseUntil: { $lt: expired } }, { anyProject: true });
  if (!count) return [];
  return [
    error(
      `Workers that are no longer running hold ${formatCount(count, 'content')}`,
      'Start a worker for the maintenance queue: its sweep queues these contents again.',
    ),
  ];
};

export const queueChecks: Check[] = [
  { name: 'queues', needs: ['redis'], run: checkQueues },
  { name: 'overdue work', needs: ['mongodb'], run: checkOverdueWork },
  { name: 'leases', needs: ['mongodb'], run: checkLeases },
];
