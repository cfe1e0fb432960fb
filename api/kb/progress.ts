import { z } from 'zod';
import { STATUS } from '#shared/models/kb-content.ts';

/** The status of a content as polling clients read it (contract c 2.16). */
export const Progress = z.strictObject({
  status_message: z.string(),
  status_code: z.number().meta({ description: '0 queued, 2 started, 3 finished, 4 failed' }),
  queue_order: z.number(),
});

const PROGRESS = {
  [STATUS.queued]: [0, 'queued'],
  [STATUS.fetching]: [2, 'fetching'],
  [STATUS.indexing]: [2, 'indexing'],
  [STATUS.indexed]: [3, 'indexed'],
  [STATUS.failed]: [4, 'failed'],
} as const;

interface Waiting {
  status: number;
  error?: { message: string };
  waiting?: { message: string };
}

/** How far a content is; why it waits or failed, where it does or did. */
export const progressOf = ({ status, error, waiting }: Waiting) => {
  const [status_code, stage] = PROGRESS[status as keyof typeof PROGRESS] ?? PROGRESS[STATUS.queued];
  return { status_message: waiting?.message ?? error?.message ?? stage, status_code, queue_order: -1 };
};
