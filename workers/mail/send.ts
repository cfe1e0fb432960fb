import { leaseMail } from '#shared/domain/mails/mail-leases.ts';
import { projectOfMail } from '#shared/domain/mails/mail-queue.ts';
import { hasOwnServer } from '#shared/domain/mails/sender-settings.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { attemptMail } from '../mail-sender/attempt-mail.ts';

/**
 * Sends a due email through the server of the instance. If its project has its own server, leaves the email to the
 * `project-mails.send` job.
 */
const sendMailJob: Processor<'mail.send'> = async ({ mail, id_project: known }) => {
  const id_project = known ?? (await projectOfMail(mail));
  if (id_project && (await hasOwnServer(id_project))) return enqueue('project-mails.send', { id_project });
  const leased = await leaseMail(mail);
  if (leased) await attemptMail(leased, { usesOwnServer: false });
};
export default sendMailJob;
