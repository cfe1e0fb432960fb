/** Indexes a project's pending contents for one time slice, so that projects take turns. */
import { config } from '#shared/config.ts';
import { msUntilNextContent, takeNextContent } from '#shared/domain/knowledge/indexing/attempts.ts';
import { forceStopSignal, shutdownSignal } from '../shutdown.ts';
import { indexContent } from './index-content.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
const MAX_PAUSE_MS = 500;

/**
 * Indexes contents until the time slice is over or none is due. Returns the milliseconds until the next run, or null if
 * the periodic sweep will pick up the rest.
 */
export const indexPending = async (id_project: string): Promise<number | null> => {
  const end = performance.now() + TIME_SLICE_MS;
  while (performance.now() < end && !shutdownSignal.aborted) {
    const attempt = await takeNextContent(id_project);
    if (!attempt) break;
    await indexContent(attempt, forceStopSignal);
  }
  const next = await msUntilNextContent(id_project);
  return next === null || next > config.SWEEP_INTERVAL_SECONDS * 1000 ? null : Math.min(next, MAX_PAUSE_MS);
};
