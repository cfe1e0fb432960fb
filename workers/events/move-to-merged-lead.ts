import { moveOpenedConversation, moveToMergedLead } from '#shared/domain/conversations/lead-sync.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Moves the conversations of a merged lead to the lead that it was merged into, including conversations that were
 * opened during the merge.
 */
const moveToMergedLeadJob: Processor<'events.move-to-merged-lead'> = (event, signal) =>
  event.event === 'request.create'
    ? moveOpenedConversation(event, signal)
    : moveToMergedLead({ id_project: event.id_project, lead: event.record }, signal);
export default moveToMergedLeadJob;
