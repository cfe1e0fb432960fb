import { sweepPresence } from '#shared/domain/team/presence.ts';
import type { Processor } from '#shared/jobs.ts';

/** Sets people offline who have had no socket for 30 seconds. */
const sweepPresenceJob: Processor<'maintenance.sweep-presence'> = async () => {
  await sweepPresence();
};
export default sweepPresenceJob;
