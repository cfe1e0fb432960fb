/** Sends a mail that this worker has leased, and records the result. */
import { BLOCKED_FAILURE, isBlocked } from '#shared/domain/mails/blocked-addresses.ts';
import { composeMail } from '#shared/domain/mails/compose-mail.ts';
import * as mails from '#shared/domain/mails/mail-queue.ts';
import { closeCircuit, recordServerFailure } from '#shared/domain/mails/server-circuit.ts';
import { blockAddress, reportServerFailure } from '#shared/domain/notifications/delivery-reports.ts';
import { logger } from '#shared/logger.ts';
import { type DeliveryFailure, deliver, deliveryFailure, isDeliveryError } from '#shared/mail/deliver.ts';

const deliverMail = async (leased: mails.LeasedMail): Promise<{ hasOwnServer: boolean }> => {
  const { id_project, mail } = leased;
  if (id_project && (await isBlocked(id_project, mail.to))) {
    await mails.markFailed(leased, BLOCKED_FAILURE);
    return { hasOwnServer: false };
  }
  const composed = await composeMail(leased);
  if (composed) await deliver(composed.mail, composed.server);
  await (composed ? mails.markSent(leased) : mails.markFailed(leased, 'MAIL_OBSOLETE'));
  return { hasOwnServer: composed?.server !== undefined };
};

const recordFailure = async (leased: mails.LeasedMail, failure: DeliveryFailure): Promise<void> => {
  const { id: mail, id_project } = leased;
  const { reason, isFinal, rejectsRecipient } = failure;
  logger.warn({ mail, reason, final: isFinal, attemptsMade: leased.attemptsMade }, 'mail not sent');
  await (isFinal ? mails.markFailed(leased, reason) : mails.reschedule(leased, reason));
  if (rejectsRecipient && id_project) await blockAddress(id_project, { address: leased.mail.to, reason, mail });
};

/**
 * Sends a leased mail. Returns whether the server serves no mail at all. A delivery failure is stored in the record of
 * the mail; sending is retried later unless the failure is final.
 */
export const sendLeased = async (
  leased: mails.LeasedMail,
  { usesOwnServer, isFailing = false }: { usesOwnServer: boolean; isFailing?: boolean },
): Promise<{ isServerDown: boolean }> => {
  const stopRenewal = mails.keepLease(leased);
  const id_project = leased.id_project ?? '';
  try {
    const { hasOwnServer } = await deliverMail(leased);
    if (isFailing && hasOwnServer) await closeCircuit(id_project);
    return { isServerDown: false };
  } catch (error) {
    const failure = deliveryFailure(error);
    await recordFailure(leased, failure);
    if (!isDeliveryError(error)) throw error; // a bug, not a delivery failure
    if (failure.rejectsMail || !usesOwnServer) return { isServerDown: false };
    await recordServerFailure(id_project, failure.reason);
    await reportServerFailure(id_project);
    return { isServerDown: true };
  } finally {
    stopRenewal();
  }
};
