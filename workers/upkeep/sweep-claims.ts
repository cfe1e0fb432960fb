import { sweepClaims } from '#shared/domain/routing/claim-sweep.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Give teammates back what they were given of conversations that were never opened: their process was killed in between. */
const sweep: Processor<'upkeep.sweep-claims'> = async () => {
  const dropped = await sweepClaims();
  if (dropped) logger.info({ dropped }, 'claims that came to nothing were dropped');
};
export default sweep;
