import { sweepPresence } from '#shared/domain/team/presence.ts';
import type { Processor } from '#shared/jobs.ts';

/** Marks as offline the people whose last socket was closed over 30 seconds ago or whose API process has died. */
const sweepPresenceJob: Processor<'maintenance.sweep-presence'> = async () => {
  await sweepPresence();
};
export default sweepPresenceJob;
