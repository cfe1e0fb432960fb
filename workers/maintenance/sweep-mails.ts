import { enqueueMail, findDueMails } from '#shared/domain/mails/mail-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Enqueues every due email whose job was lost, whose worker died, or whose retry is due. */
const sweepMailsJob: Processor<'maintenance.sweep-mails'> = async () => {
  for (const mail of await findDueMails()) await enqueueMail(mail);
};
export default sweepMailsJob;
