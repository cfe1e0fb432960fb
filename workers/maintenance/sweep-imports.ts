import { findUnfinished } from '#shared/domain/leads/import/imports.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Enqueues unfinished lead imports whose job was lost or whose worker died. */
const sweepImportsJob: Processor<'maintenance.sweep-imports'> = async () => {
  for (const { _id, id_project } of await findUnfinished())
    await enqueue('bulk.import-leads', { id_project, import: String(_id) });
};
export default sweepImportsJob;
