/** Figures about the job queues, for the command line, the metrics and the `/admin/fleet` page. */
import { queues } from '../../queue/queue.ts';
import { currentTimeMs } from '../../time/clock.ts';

const SECOND_MS = 1000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

type Queue = ReturnType<typeof queues>[number];
type QueueJob = Awaited<ReturnType<Queue['getJobs']>>[number];

export interface QueueFigures {
  name: string;
  counts: Record<(typeof STATES)[number], number>;
  isPaused: boolean;
  /** How long the oldest waiting job has been ready to run; 0 if none is waiting. */
  oldestAgeSeconds: number;
}

/**
 * The time from which a waiting job could run: its creation time plus its delay or, if later, the start of its last
 * attempt.
 */
const readySince = ({ timestamp, delay, processedOn }: QueueJob): number =>
  Math.max(timestamp + delay, processedOn ?? 0);

const figuresOf = async (queue: Queue): Promise<QueueFigures> => {
  const [counts, isPaused, [oldest]] = await Promise.all([
    queue.getJobCounts(...STATES),
    queue.isPaused(),
    queue.getWaiting(0, 0),
  ]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const ageMs = oldest ? currentTimeMs() - readySince(oldest) : 0;
  return {
    name: queue.name,
    counts: { waiting, active, delayed, failed },
    isPaused,
    oldestAgeSeconds: Math.max(0, ageMs / SECOND_MS),
  };
};

export const readQueueFigures = (): Promise<QueueFigures[]> => Promise.all(queues().map(figuresOf));
