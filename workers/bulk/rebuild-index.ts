import { isNamespaceOutdated, rebuildNamespace } from '#shared/domain/knowledge/indexing/index-registry.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Rebuilds the chunk index of a namespace from MongoDB, without calls to the embedder. Does nothing if another job has
 * already rebuilt the index.
 */
const rebuildIndexJob: Processor<'bulk.rebuild-index'> = async ({ id_project, namespace }) => {
  const namespaceKey = { id_project, id: namespace };
  if (await isNamespaceOutdated(namespaceKey)) await rebuildNamespace(namespaceKey);
};
export default rebuildIndexJob;
