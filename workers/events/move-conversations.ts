import { moveOver } from '#shared/domain/conversations/lead-news.ts';
import type { Processor } from '#shared/jobs.ts';

/** A lead that was merged leaves its conversations to the other one. */
const moveConversations: Processor<'events.move-conversations'> = ({ id_project, record }) =>
  moveOver({ id_project, lead: record });
export default moveConversations;
