import { followLead, moveOver } from '#shared/domain/conversations/lead-news.ts';
import type { Processor } from '#shared/jobs.ts';

/** A lead that was merged leaves its conversations to the other one, also those that were opened at that very moment. */
const moveConversations: Processor<'events.move-conversations'> = ({ id_project, event, record }, signal) =>
  event === 'request.create'
    ? followLead({ id_project, request: record }, signal)
    : moveOver({ id_project, lead: record }, signal);
export default moveConversations;
