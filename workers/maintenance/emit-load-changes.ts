import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import type { Processor } from '#shared/jobs.ts';

/** Emits held-back changes of agents' loads (the capacity in use): at most one per agent and second. */
const emitLoadChangesJob: Processor<'maintenance.emit-load-changes'> = emitPendingLoads;
export default emitLoadChangesJob;
