import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import { moveOrphans } from '#shared/domain/conversations/assignment/move-from-deleted-department.ts';
import type { Processor } from '#shared/jobs.ts';

/** Moves a project's waiting conversations out of deleted departments and assigns them to agents with free capacity. */
const assignWaitingJob: Processor<'maintenance.assign-waiting'> = async ({ id_project }) => {
  await moveOrphans(id_project);
  await assignWaiting(id_project);
};
export default assignWaitingJob;
