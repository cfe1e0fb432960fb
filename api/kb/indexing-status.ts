/** Converts the indexing status of a content to the format of the status endpoint. */
import { z } from 'zod';
import { CONTENT_STATUS } from '#shared/models/kb-content.ts';
import { view } from '#shared/wire/view.ts';

/** The indexing status that clients poll. */
export const IndexingStatusView = view('IndexingStatus', {
  status_message: z.string(),
  status_code: z.number().meta({ description: '0 queued, 2 started, 3 finished, 4 failed' }),
  queue_order: z.number(),
});

const STATUS_STAGES = {
  [CONTENT_STATUS.queued]: [0, 'queued'],
  [CONTENT_STATUS.fetching]: [2, 'fetching'],
  [CONTENT_STATUS.indexing]: [2, 'indexing'],
  [CONTENT_STATUS.indexed]: [3, 'indexed'],
  [CONTENT_STATUS.failed]: [4, 'failed'],
} as const;

interface ContentState {
  status: number;
  error?: { message: string };
  waiting?: { message: string };
}

/** Returns the status of a content. `status_message` is the reason if the content is waiting or has failed. */
export const toIndexingStatus = ({ status, error, waiting }: ContentState) => {
  const [status_code, stage] =
    STATUS_STAGES[status as keyof typeof STATUS_STAGES] ?? STATUS_STAGES[CONTENT_STATUS.queued];
  return { status_message: waiting?.message ?? error?.message ?? stage, status_code, queue_order: -1 };
};
