import { resettleStrays } from '#shared/domain/conversations/resettling.ts';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import type { Processor } from '#shared/jobs.ts';

/** Give those who wait to teammates who may take one more. */
const serveLine: Processor<'upkeep.serve-line'> = async ({ id_project }) => {
  await resettleStrays(id_project);
  await serveWaiting(id_project);
};
export default serveLine;
