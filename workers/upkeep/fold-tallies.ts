import { fold } from '#shared/domain/conversations/tallies.ts';
import type { Processor } from '#shared/jobs.ts';

/** Keep the tallies of conversations few, however many come and go. */
const foldTallies: Processor<'upkeep.fold-tallies'> = async () => {
  await fold();
};
export default foldTallies;
