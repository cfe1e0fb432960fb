import { removeMessages } from '#shared/domain/conversations/lifecycle/delete.ts';
import type { Processor } from '#shared/jobs.ts';

/** Deletes the messages of a deleted conversation. */
const removeMessagesJob: Processor<'bulk.remove-messages'> = ({ id_project, removal }) =>
  removeMessages(id_project, removal);
export default removeMessagesJob;
