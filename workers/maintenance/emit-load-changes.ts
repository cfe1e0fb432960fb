import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import type { Processor } from '#shared/jobs.ts';

/** Emits the load changes that were held back because the previous one of the agent was less than a second before. */
const emitLoadChangesJob: Processor<'maintenance.emit-load-changes'> = emitPendingLoads;
export default emitLoadChangesJob;
