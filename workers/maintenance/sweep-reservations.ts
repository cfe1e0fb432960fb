import { sweepReservations } from '#shared/domain/routing/reservation-sweep.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Releases reservations whose conversation was never stored because the process was killed. */
const sweepReservationsJob: Processor<'maintenance.sweep-reservations'> = async () => {
  const released = await sweepReservations();
  if (released) logger.info({ released }, 'unused reservations released');
};
export default sweepReservationsJob;
