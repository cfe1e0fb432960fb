import { syncLead } from '#shared/domain/conversations/lead-sync.ts';
import type { Processor } from '#shared/jobs.ts';

/** Updates the copies of a changed lead in its conversations. */
const syncLeadJob: Processor<'events.sync-lead'> = ({ id_project, record }, signal) =>
  syncLead({ id_project, lead: record }, signal);
export default syncLeadJob;
