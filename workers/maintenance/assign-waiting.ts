import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import { moveOrphans } from '#shared/domain/conversations/assignment/move-from-deleted-department.ts';
import type { Processor } from '#shared/jobs.ts';

/** Assigns a project's waiting conversations to agents with free capacity. */
const assignWaitingJob: Processor<'maintenance.assign-waiting'> = async ({ id_project }) => {
  await moveOrphans(id_project);
  await assignWaiting(id_project);
};
export default assignWaitingJob;
