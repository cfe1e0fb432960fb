import { isDisplaced, rebuild } from '#shared/domain/knowledge/index-places.ts';
import type { Processor } from '#shared/jobs.ts';

/** Fill the chunk index of a namespace anew from MongoDB, at no embedding call, unless that was done meanwhile. */
const rebuildIndex: Processor<'bulk.rebuild-index'> = async ({ id_project, namespace }) => {
  const where = { id_project, id: namespace };
  if (await isDisplaced(where)) await rebuild(where);
};
export default rebuildIndex;
