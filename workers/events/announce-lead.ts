import { announce } from '#shared/domain/conversations/lead-news.ts';
import type { Processor } from '#shared/jobs.ts';

/** A lead with another name or e-mail is announced in its latest chat. */
const announceLead: Processor<'events.announce-lead'> = ({ id_project, record }) =>
  announce({ id_project, lead: record });
export default announceLead;
