import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import type { Processor } from '#shared/jobs.ts';

/** Emits changes of the loads of agents that were held back: at most one change is emitted per agent and second. */
const emitLoadChangesJob: Processor<'maintenance.emit-load-changes'> = emitPendingLoads;
export default emitLoadChangesJob;
