import { enqueueMail, findDueMails } from '#shared/domain/mails/mail-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Enqueues every due mail: its job was lost, its worker died, or its retry is due. */
const sweepMailsJob: Processor<'maintenance.sweep-mails'> = async () => {
  for (const mail of await findDueMails()) await enqueueMail(mail);
};
export default sweepMailsJob;
