import { projectsWaiting, takeOver } from '#shared/domain/knowledge/attempts.ts';
import { displaced } from '#shared/domain/knowledge/index-places.ts';
import { cleanLitter, finishRemovals } from '#shared/domain/knowledge/removals.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { enqueue } from '#shared/queue.ts';

const projectsBehind = (model: string): Promise<string[]> =>
  KbContent.distinct('id_project', { status: STATUS.indexed, embedded_by: { $ne: model } }).setOptions({
    anyProject: true,
  });

/** Whatever a killed worker, a flushed queue or a lost index left undone is taken up again here; the record's status is the truth. */
const sweepContents: Processor<'upkeep.sweep-contents'> = async () => {
  const taken = await takeOver();
  if (taken) logger.warn({ taken }, 'took over contents of silent workers');
  for (const id_project of await projectsWaiting()) await enqueue('kb.work-contents', { id_project });
  const model = embedder();
  if (model)
    for (const id_project of await projectsBehind(model.name)) await enqueue('bulk.embed-chunks', { id_project });
  for (const { id_project, id } of await displaced())
    await enqueue('bulk.rebuild-index', { id_project, namespace: id });
  await cleanLitter();
  await finishRemovals();
};
export default sweepContents;
