import { resume } from '#shared/domain/knowledge/deletions.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Continues a deletion of contents for one time slice. If any remain, enqueues itself again behind the other jobs. */
const deleteContentsJob: Processor<'bulk.delete-contents'> = async ({ id_project, deletion }) => {
  if (!(await resume(id_project, deletion))) await enqueue('bulk.delete-contents', { id_project, deletion });
};
export default deleteContentsJob;
