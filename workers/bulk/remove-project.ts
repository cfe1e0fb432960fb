import { removeEverything } from '#shared/domain/projects/project-removal.ts';
import type { Processor } from '#shared/jobs.ts';

/** Take away everything that belongs to a project that was removed. */
const removeProject: Processor<'bulk.remove-project'> = ({ id_project }) => removeEverything(id_project);
export default removeProject;
