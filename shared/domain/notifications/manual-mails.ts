/** Sends manual emails: those that a teammate or a program of the project writes. */
import { AppError } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Group } from '../../models/group.ts';
import { type ConversationKey, find } from '../conversations/conversation.ts';
import { assertNotBlocked } from '../mails/blocked-addresses.ts';
import { chargeMails } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import { findPlan, quotaEvents, withQuota } from '../quotas/charge.ts';
import { checkMailAuthor, type MailAuthor } from './mail-authors.ts';
import { adminRecipients, teammateRecipients } from './recipients.ts';

const MAX_MAILS_PER_ADDRESS_PER_HOUR = 60;
const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * The text of a manual email. For an email to a lead, the default subject is the conversation's subject or first
 * text.
 */
export interface ManualMail {
  subject?: string;
  text: string;
  replyto?: string;
}

const groupAddresses = async (id_project: string, name: string): Promise<string[]> => {
  const group = await Group.findOne({ id_project, name, trashed: false }, { members: 1 }).lean();
  if (!group)
    throw new AppError(
      422,
      'INVALID',
      `to: ${name} is neither an email address nor the name of a group of this project`,
    );
  return (await teammateRecipients(id_project, { users: group.members })).map(({ email }) => email);
};

/**
 * Returns the addresses that `to` denotes. If `to` begins with `@`: the verified addresses of the project's owners and
 * admins; if it is an email address: that address; otherwise: those of the members of the group with this name. Throws
 * 422 if there is no such group.
 */
const resolveAddresses = async (id_project: string, to: string): Promise<string[]> => {
  if (to.startsWith('@')) return (await adminRecipients(id_project)).map(({ email }) => email);
  return EMAIL_ADDRESS.test(to) ? [to] : groupAddresses(id_project, to);
};

/**
 * Enqueues one email to each address, or none at all. Errors: 403 if the plan of the project does not allow so many
 * emails, 409 if an address is blocked, 429 if the limit of an address or of the project would be exceeded.
 */
const sendToAll = async (
  to: string[],
  values: ManualMail & { subject: string },
  target: { id_project: string; outbox: boolean; record?: string },
): Promise<void> => {
  for (const each of to) await mails.assertMailRate('emailDirect', each, MAX_MAILS_PER_ADDRESS_PER_HOUR);
  await assertNotBlocked(target.id_project, to);
  const plan = await findPlan(target.id_project);
  const events = quotaEvents(plan, 'email');
  const fields = { ...target, ...(events.length && emits(...events)) };
  await withQuota(async (charge) => {
    await charge.add(plan, { email: to.length });
    await chargeMails(target.id_project, to.length);
    let stored = 0;
    for (const each of to)
      if (await mails.queueMail({ template: 'emailDirect', to: each, values }, fields)) stored += 1;
    await charge.refund({ email: to.length - stored });
  });
};

/** A manual email with its recipient and, optionally, its conversation. */
interface AddressedMail extends ManualMail {
  to: string;
  request_id?: string;
}

/**
 * Enqueues an email to an address, to the project's owners and admins, or to a group. Errors: 403 if `checkMailAuthor`
 * rejects the author or the plan allows no more emails, 404 for an unknown conversation, 409 if an address is blocked,
 * 422 if `to` names an unknown group, 429 if an address was sent too many emails or the project's budget is exhausted.
 */
export const sendTo = async (
  id_project: string,
  { to, request_id, subject = '', ...content }: AddressedMail,
  author: MailAuthor,
): Promise<void> => {
  const { outbox } = await checkMailAuthor(id_project, author);
  const record = request_id ? String((await find({ id_project, request_id }))._id) : undefined;
  await sendToAll(await resolveAddresses(id_project, to), { ...content, subject }, { id_project, outbox, record });
};

/**
 * Enqueues an email to the lead of a conversation. Returns false if the lead has no address. Errors: as in `sendTo`.
 */
export const sendToLead = async (
  key: ConversationKey,
  { subject, ...content }: ManualMail,
  author: MailAuthor,
): Promise<boolean> => {
  const { outbox } = await checkMailAuthor(key.id_project, author);
  const request = await find(key);
  const { email } = (request.snapshot.lead ?? {}) as { email?: string };
  if (!email) return false;
  const topic = subject || request.subject || request.first_text;
  const target = { id_project: key.id_project, outbox, record: String(request._id) };
  await sendToAll([email], { ...content, subject: topic }, target);
  return true;
};
