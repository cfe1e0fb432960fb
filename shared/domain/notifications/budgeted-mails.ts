/** Sends automatic emails within the budgets of the project and of each recipient. */
import { newId } from '../../context.ts';
import { chargeProject, chargeRecipient, refundProject, refundRecipient } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import type { MailedConversation } from '../../models/mail.ts';
import type { Recipient } from './recipients.ts';

/**
 * The data stored with an email: its project, the id of the record that the email reports on and, optionally, the
 * conversation and the email's own id.
 */
interface MailTarget {
  id_project: string;
  record: string;
  conversation?: MailedConversation;
  /** A deterministic id makes sending idempotent: a second email with the same id is not stored. */
  _id?: string;
}

/**
 * Stores and enqueues an automatic email. If the project's budget is used up, stores only a record that states why the
 * email was dropped. Returns false if an email with this id already exists.
 */
export const sendAutomatic = async (
  mail: mails.NewMail,
  { _id = newId(), ...target }: MailTarget,
): Promise<boolean> => {
  const failure = (await chargeProject(target.id_project)) ?? undefined;
  const isNew = await mails.queueMail(mail, { ...target, _id, failure });
  if (!isNew && !failure) await refundProject(target.id_project, 1);
  return isNew;
};

const sendToTeammate = async (mail: mails.NewMail, target: MailTarget): Promise<void> => {
  if (!(await chargeRecipient(target.id_project, mail))) return;
  if (!(await sendAutomatic(mail, target))) await refundRecipient(target.id_project, mail);
};

/**
 * Enqueues an email to each recipient whom `isWanted` accepts and whose hourly budget is not used up. Ids are generated
 * for all recipients, even those who receive no email: while an event is handled, `newId` derives each id from the
 * event and the number of ids generated before, so handling the event again produces the same email ids.
 */
export const sendToTeam = async (
  recipients: Recipient[],
  target: Omit<MailTarget, '_id'>,
  options: { buildMail: (to: string) => mails.NewMail; isWanted: (recipient: Recipient) => boolean | Promise<boolean> },
): Promise<void> => {
  for (const { recipient, _id } of recipients.map((recipient) => ({ recipient, _id: newId() })))
    if (await options.isWanted(recipient)) await sendToTeammate(options.buildMail(recipient.email), { ...target, _id });
};
