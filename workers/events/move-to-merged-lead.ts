import { moveOpenedConversation, moveToMergedLead } from '#shared/domain/conversations/lead-sync.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Moves the conversations of a merged lead to the lead that it was merged into, including conversations that were
 * opened during the merge.
 */
const moveToMergedLeadJob: Processor<'events.move-to-merged-lead'> = ({ id_project, event, record }, signal) =>
  event === 'request.create'
    ? moveOpenedConversation({ id_project, request: record }, signal)
    : moveToMergedLead({ id_project, lead: record }, signal);
export default moveToMergedLeadJob;
