import { moveFromDeletedDepartment } from '#shared/domain/conversations/assignment/move-from-deleted-department.ts';
import type { Processor } from '#shared/jobs.ts';

/** Moves the open conversations of a deleted department to the default department. */
const reassignDepartmentJob: Processor<'events.reassign-department'> = ({ id_project, record }, signal) =>
  moveFromDeletedDepartment(id_project, record, signal);
export default reassignDepartmentJob;
