import { nudge, waiting } from '#shared/domain/access/mail.ts';
import type { Processor } from '#shared/jobs.ts';

/** Have every mail sent whose job was lost, whose worker died, or whose time for another try has come. */
const sweepMails: Processor<'upkeep.sweep-mails'> = async () => {
  for (const mail of await waiting()) await nudge(mail);
};
export default sweepMails;
