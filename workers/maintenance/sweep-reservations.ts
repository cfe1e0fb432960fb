import { sweepReservations } from '#shared/domain/routing/reservation-sweep.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Releases reservations for conversations that were never stored, because the process was killed in between. */
const sweepReservationsJob: Processor<'maintenance.sweep-reservations'> = async () => {
  const dropped = await sweepReservations();
  if (dropped) logger.info({ dropped }, 'unused reservations released');
};
export default sweepReservationsJob;
