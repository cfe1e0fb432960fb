import { compact } from '#shared/domain/conversations/counters.ts';
import type { Processor } from '#shared/jobs.ts';

/** Merges the counter rows of conversations, so that the number of rows stays small. */
const compactCountersJob: Processor<'maintenance.compact-counters'> = async () => {
  await compact();
};
export default compactCountersJob;
