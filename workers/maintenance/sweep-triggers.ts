import { wakeProjects, findOverdueProjects } from '#shared/domain/triggers/run-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Enqueues due actions of triggers whose wake-up was lost or whose worker died. */
const sweepTriggersJob: Processor<'maintenance.sweep-triggers'> = async () => wakeProjects(await findOverdueProjects());
export default sweepTriggersJob;
