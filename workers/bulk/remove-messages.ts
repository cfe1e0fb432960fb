import { removeMessages } from '#shared/domain/conversations/removing.ts';
import type { Processor } from '#shared/jobs.ts';

/** Delete the messages of a conversation that was removed. */
const removeSome: Processor<'bulk.remove-messages'> = ({ id_project, removal }) => removeMessages(id_project, removal);
export default removeSome;
