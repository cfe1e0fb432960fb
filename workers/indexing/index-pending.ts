/** Indexes a project's pending contents for one time slice, so that projects take turns. */
import { config } from '#shared/config.ts';
import { takeNextContent } from '#shared/domain/knowledge/indexing/attempts.ts';
import * as imports from '#shared/domain/knowledge/imports.ts';
import { msUntilNextContent } from '#shared/domain/knowledge/indexing/due-contents.ts';
import { forceStopSignal, shutdownSignal } from '../shutdown.ts';
import { indexContent } from './index-content.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
const MAX_PAUSE_MS = 500;
const REPORT_INTERVAL_MS = 1000;

/**
 * Indexes contents until the time slice ends or no content is due. Returns the milliseconds until the next run, or null
 * if no content is due before the next sweep, which enqueues the job again.
 */
export const indexPending = async (id_project: string): Promise<number | null> => {
  const end = performance.now() + TIME_SLICE_MS;
  let reportAt = performance.now() + REPORT_INTERVAL_MS;
  let hasImport = false;
  while (performance.now() < end && !shutdownSignal.aborted) {
    const attempt = await takeNextContent(id_project);
    if (!attempt) break;
    await indexContent(attempt, forceStopSignal);
    hasImport ||= attempt.importId !== undefined;
    if (hasImport && performance.now() > reportAt) {
      await imports.reportProgress(id_project);
      reportAt = performance.now() + REPORT_INTERVAL_MS;
    }
  }
  if (hasImport) await imports.reportProgress(id_project, 0);
  const msUntilNext = await msUntilNextContent(id_project);
  const isLeftToSweep = msUntilNext === null || msUntilNext > config.SWEEP_INTERVAL_SECONDS * 1000;
  return isLeftToSweep ? null : Math.min(msUntilNext, MAX_PAUSE_MS);
};
