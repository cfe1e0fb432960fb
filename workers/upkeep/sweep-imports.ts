import { unfinished } from '#shared/domain/leads/imports.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';

/** Have the imports of leads gone on with that nobody was nudged for, or whose worker has died. */
const sweepImports: Processor<'upkeep.sweep-imports'> = async () => {
  for (const { _id, id_project } of await unfinished())
    await enqueue('bulk.import-leads', { id_project, import: String(_id) });
};
export default sweepImports;
