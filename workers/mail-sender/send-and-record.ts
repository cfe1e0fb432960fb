import { setTimeout as sleep } from 'node:timers/promises';
import { keepLease, type MailLease, markSent } from '#shared/domain/mails/mail-leases.ts';
import { type SmtpDelivery, sendOverSmtp } from '#shared/mail/deliver.ts';

/** A leased email that is ready for its SMTP server. */
export interface SmtpTask {
  lease: MailLease;
  delivery: SmtpDelivery;
}

const MAX_ATTEMPTS = 60;
const PAUSE_MS = 1000;

/** Records that a server has accepted an email. Retries for a minute, because the email must not be sent again. */
const recordAcceptance = async (lease: MailLease): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await markSent(lease);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
};

/**
 * Sends an email over SMTP and records that the server has accepted it. Renews the lease in the meantime. Throws a
 * delivery error without recording it.
 */
export const sendAndRecord = async ({ lease, delivery }: SmtpTask): Promise<void> => {
  const stopRenewal = keepLease(lease);
  try {
    await sendOverSmtp(delivery);
    await recordAcceptance(lease);
  } finally {
    stopRenewal();
  }
};
