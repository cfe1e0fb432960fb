import { rebuild } from '#shared/domain/index-places.ts';
import type { Processor } from '#shared/jobs.ts';

/** Fill the chunk index of a namespace anew from MongoDB, at no embedding call. */
const rebuildIndex: Processor<'upkeep.rebuild-index'> = async ({ id_project, namespace }) => {
  await rebuild({ id_project, id: namespace });
};
export default rebuildIndex;
