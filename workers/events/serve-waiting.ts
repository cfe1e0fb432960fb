import { hasLine } from '#shared/domain/routing/line.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';

/** Somebody may be free now, or came to wait: the project's line is served, once however many events say so. */
const serveWaiting: Processor<'events.serve-waiting'> = async ({ id_project }) => {
  if (await hasLine(id_project)) await enqueue('upkeep.serve-line', { id_project });
};
export default serveWaiting;
