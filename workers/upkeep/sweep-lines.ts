import { projectsWithLines } from '#shared/domain/routing/line.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';

/** Have every line served that nothing else may start: hours begin without an event, and a flushed queue forgets. */
const sweepLines: Processor<'upkeep.sweep-lines'> = async () => {
  for await (const id_project of projectsWithLines()) await enqueue('upkeep.serve-line', { id_project });
};
export default sweepLines;
