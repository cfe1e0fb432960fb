import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';
import { pump } from '../steps/pump.ts';

/** A further slot of a project that has many contents waiting. */
const workContents: Processor<'bulk.work-contents'> = async ({ id_project, slot }) => {
  const again = await pump(id_project);
  if (again === 0) await enqueue('bulk.work-contents', { id_project, slot });
};
export default workContents;
