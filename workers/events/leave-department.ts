import { resettle } from '#shared/domain/conversations/resettling.ts';
import type { Processor } from '#shared/jobs.ts';

/** A department that is deleted leaves its open conversations to the default one. */
const leaveDepartment: Processor<'events.leave-department'> = ({ id_project, record }, signal) =>
  resettle(id_project, record, signal);
export default leaveDepartment;
