import { composeMail } from '#shared/domain/mails/compose-mail.ts';
import * as mails from '#shared/domain/mails/mail-queue.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { deliver, deliveryFailure, isDeliveryError } from '#shared/mail/deliver.ts';

const deliverMail = async (leasedMail: mails.LeasedMail): Promise<void> => {
  const outgoingMail = await composeMail(leasedMail);
  if (!outgoingMail) return mails.markFailed(leasedMail, 'MAIL_OBSOLETE');
  await deliver(outgoingMail);
  await mails.markSent(leasedMail);
};

/**
 * Sends a due mail. A delivery failure is stored in the mail's record; sending is retried later unless the failure is
 * final.
 */
const sendMailJob: Processor<'mail.send'> = async ({ mail }) => {
  const leasedMail = await mails.leaseMail(mail);
  if (!leasedMail) return;
  try {
    await deliverMail(leasedMail);
  } catch (error) {
    const { reason, isFinal } = deliveryFailure(error);
    logger.warn({ mail, reason, final: isFinal, attemptsMade: leasedMail.attemptsMade }, 'mail not sent');
    await (isFinal ? mails.markFailed(leasedMail, reason) : mails.reschedule(leasedMail, reason));
    if (!isDeliveryError(error)) throw error; // a bug, not a delivery failure
  }
};
export default sendMailJob;
