import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import type { Processor } from '#shared/jobs.ts';

/** Emits the load changes that were held back, because at most one is emitted per agent and second. */
const emitLoadChangesJob: Processor<'maintenance.emit-load-changes'> = emitPendingLoads;
export default emitLoadChangesJob;
