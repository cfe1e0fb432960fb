import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import type { Processor } from '#shared/jobs.ts';

/** Emits the held-back changes of agents' loads: at most one change is emitted per agent and second. */
const emitLoadChangesJob: Processor<'maintenance.emit-load-changes'> = emitPendingLoads;
export default emitLoadChangesJob;
