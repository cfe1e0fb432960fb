import { deleteProjectData } from '#shared/domain/projects/project-removal.ts';
import type { Processor } from '#shared/jobs.ts';

/** Deletes all data of a project whose removal was requested. */
const removeProjectJob: Processor<'bulk.remove-project'> = ({ id_project }) => deleteProjectData(id_project);
export default removeProjectJob;
