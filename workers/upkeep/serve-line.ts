import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import type { Processor } from '#shared/jobs.ts';

/** Give those who wait to teammates who may take one more. */
const serveLine: Processor<'upkeep.serve-line'> = ({ id_project }) => serveWaiting(id_project);
export default serveLine;
