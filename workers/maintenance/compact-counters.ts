import { compact } from '#shared/domain/conversations/counters.ts';
import type { Processor } from '#shared/jobs.ts';

/** Merges the rows that changes to conversations add to the counters, so that the number of rows stays small. */
const compactCountersJob: Processor<'maintenance.compact-counters'> = async () => {
  await compact();
};
export default compactCountersJob;
