import { sweepPresence } from '#shared/domain/team/presence.ts';
import type { Processor } from '#shared/jobs.ts';

/** Marks people as offline 30 seconds after their last socket is closed. */
const sweepPresenceJob: Processor<'maintenance.sweep-presence'> = async () => {
  await sweepPresence();
};
export default sweepPresenceJob;
