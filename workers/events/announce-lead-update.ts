import { announceLeadUpdate } from '#shared/domain/conversations/lead-sync.ts';
import type { Processor } from '#shared/jobs.ts';

/** Posts a system message to a lead's latest conversation when the lead's name or email changes. */
const announceLeadUpdateJob: Processor<'events.announce-lead-update'> = ({ id_project, record }) =>
  announceLeadUpdate({ id_project, lead: record });
export default announceLeadUpdateJob;
