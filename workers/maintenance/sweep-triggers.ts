import { wakeProjects, findOverdueProjects } from '#shared/domain/triggers/run-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Enqueues one job for each project with trigger actions that are overdue because a wake-up was lost or a worker was
 * killed.
 */
const sweepTriggersJob: Processor<'maintenance.sweep-triggers'> = async () => wakeProjects(await findOverdueProjects());
export default sweepTriggersJob;
