/** One attempt to send an email that this worker has leased: composes it, passes it on, and records the result. */
import { BLOCKED_FAILURE, isAddressBlocked } from '#shared/domain/mails/blocked-addresses.ts';
import { type ComposedMail, composeMail } from '#shared/domain/mails/compose-mail.ts';
import * as mails from '#shared/domain/mails/mail-leases.ts';
import { closeCircuit, recordServerFailure } from '#shared/domain/mails/server-circuit.ts';
import { blockAddress, reportServerFailure } from '#shared/domain/notifications/delivery-reports.ts';
import { logger } from '#shared/logger.ts';
import {
  type DeliveryFailure,
  deliveryFailure,
  isDeliveryError,
  isForOutbox,
  prepareDelivery,
  writeToOutbox,
} from '#shared/mail/deliver.ts';
import { handToSender } from './sender-client.ts';

/**
 * Writes the email to the outbox folder, or passes it to the sender process. In both cases, the email is then recorded
 * as sent.
 */
const passOn = async (lease: mails.LeasedMail, { mail, server }: ComposedMail): Promise<void> => {
  if (!isForOutbox(mail, server)) return handToSender({ lease, delivery: await prepareDelivery(mail, server) });
  await writeToOutbox(mail);
  await mails.markSent(lease);
};

/** Composes an email and passes it on, unless the recipient is blocked or the email is obsolete. */
const composeAndPassOn = async (leased: mails.LeasedMail): Promise<{ usedOwnServer: boolean }> => {
  const { id_project, mail } = leased;
  const isRefused = id_project !== undefined && (await isAddressBlocked(id_project, mail.to));
  const composed = isRefused ? null : await composeMail(leased);
  if (composed) await passOn(leased, composed);
  else await mails.markFailed(leased, isRefused ? BLOCKED_FAILURE : 'MAIL_OBSOLETE');
  return { usedOwnServer: composed?.server !== undefined };
};

const recordFailure = async (leased: mails.LeasedMail, failure: DeliveryFailure): Promise<void> => {
  const { id: mail, id_project } = leased;
  const { reason, isFinal, rejectsRecipient } = failure;
  logger.warn({ mail, reason, final: isFinal, attemptsMade: leased.attemptsMade }, 'mail not sent');
  await (isFinal ? mails.markFailed(leased, reason) : mails.reschedule(leased, reason));
  if (rejectsRecipient && id_project) await blockAddress(id_project, { address: leased.mail.to, reason, mail });
};

/**
 * Makes one attempt to send a leased email. `isCircuitOpen`: the last attempt through the project's own server failed;
 * a success closes the circuit. Returns whether this server is down and would fail for other emails, too. Stores a
 * delivery failure in the record of the email, and schedules a retry unless the failure is final.
 */
export const attemptMail = async (
  leased: mails.LeasedMail,
  { usesOwnServer, isCircuitOpen = false }: { usesOwnServer: boolean; isCircuitOpen?: boolean },
): Promise<{ isServerDown: boolean }> => {
  const stopRenewal = mails.keepLease(leased);
  const id_project = leased.id_project ?? '';
  try {
    const { usedOwnServer } = await composeAndPassOn(leased);
    if (isCircuitOpen && usedOwnServer) await closeCircuit(id_project);
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
