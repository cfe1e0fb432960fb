import { config } from '#shared/config.ts';
import { waiting } from '#shared/domain/attempts.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';
import { pump } from '../steps/pump.ts';

/** Index a project's waiting contents in its first slot, call more slots where many wait, then queue up again behind the other projects. */
const workContents: Processor<'kb.work-contents'> = async ({ id_project }) => {
  const many = await waiting(id_project, config.IMPORT_SLOTS);
  for (let slot = 1; slot < many; slot++) await enqueue('bulk.work-contents', { id_project, slot });
  const again = await pump(id_project);
  if (again !== null) await enqueue('kb.work-contents', { id_project }, again);
};
export default workContents;
