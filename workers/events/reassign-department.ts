import { reassignDepartment } from '#shared/domain/conversations/assignment/reassign-department.ts';
import type { Processor } from '#shared/jobs.ts';

/** Moves the open conversations of a deleted department to the default department. */
const reassignDepartmentJob: Processor<'events.reassign-department'> = ({ id_project, record }, signal) =>
  reassignDepartment(id_project, record, signal);
export default reassignDepartmentJob;
