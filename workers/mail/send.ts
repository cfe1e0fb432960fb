import { compose } from '#shared/domain/access/letters.ts';
import * as mails from '#shared/domain/access/mail.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { deliver, failureOf, isOfMail } from '#shared/mail/deliver.ts';

const work = async (taken: mails.Taken): Promise<void> => {
  const letter = await compose(taken);
  if (!letter) return mails.giveUp(taken, 'NOTHING_TO_SAY');
  await deliver(letter);
  await mails.sent(taken);
};

/** Send a mail that is due; a failure is noted in its record and tried again later. */
const send: Processor<'mail.send'> = async ({ mail }) => {
  const taken = await mails.take(mail);
  if (!taken) return;
  try {
    await work(taken);
  } catch (error) {
    const { reason, final } = failureOf(error);
    logger.warn({ mail, reason, final, tries: taken.tries }, 'mail not sent');
    await (final ? mails.giveUp(taken, reason) : mails.tryAgain(taken, reason));
    if (!isOfMail(error)) throw error; // a mistake of ours: the log has the details
  }
};
export default send;
