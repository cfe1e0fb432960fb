/** Job → processor; the compiler demands one for each job of the menu. */
import type { JobName, Processor } from '#shared/jobs.ts';
import embedChunks from './bulk/embed-chunks.ts';
import workMoreContents from './bulk/work-contents.ts';
import workContents from './kb/work-contents.ts';
import rebuildIndex from './upkeep/rebuild-index.ts';
import sweepContents from './upkeep/sweep-contents.ts';

export const processors: { [N in JobName]: Processor<N> } = {
  'kb.work-contents': workContents,
  'bulk.work-contents': workMoreContents,
  'bulk.embed-chunks': embedChunks,
  'upkeep.sweep-contents': sweepContents,
  'upkeep.rebuild-index': rebuildIndex,
};
