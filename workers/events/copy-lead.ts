import { copy } from '#shared/domain/conversations/lead-news.ts';
import type { Processor } from '#shared/jobs.ts';

/** A lead that changed is changed in its conversations. */
const copyLead: Processor<'events.copy-lead'> = ({ id_project, record }, signal) =>
  copy({ id_project, lead: record }, signal);
export default copyLead;
