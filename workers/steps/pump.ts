/** Work on a project's waiting contents for one slice of time (design 2, fairness). */
import { config } from '#shared/config.ts';
import { nextDue, take } from '#shared/domain/knowledge/attempts.ts';
import { leaving, stopping } from '../stopping.ts';
import { indexContent } from './index-content.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;
const SOON_MS = 500;

/** Take and index until the slice is over or none waits; then the milliseconds to the next turn, or null for none. */
export const pump = async (id_project: string): Promise<number | null> => {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end && !stopping.aborted) {
    const attempt = await take(id_project);
    if (!attempt) break;
    await indexContent(attempt, leaving);
  }
  const next = await nextDue(id_project);
  return next === null || next > config.SWEEP_SECONDS * 1000 ? null : Math.min(next, SOON_MS);
};
