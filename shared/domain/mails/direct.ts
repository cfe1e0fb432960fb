/** Mails that somebody of the team, or a program of the project, writes by hand (contract b 1.19, d D.4). */
import { AppError } from '../../errors.ts';
import { Group } from '../../models/group.ts';
import * as mails from '../access/mail.ts';
import { type Conversation, find } from '../conversations/requests.ts';
import { mustAfford } from './budget.ts';
import { leaders, teammates } from './recipients.ts';
import { checkWriter, type Writer } from './writers.ts';

/** Mails an hour that one address is sent. */
const MOST_AN_HOUR = 60;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** What is written; without a subject it is what the conversation is about. */
export interface Written {
  subject?: string;
  text: string;
  replyto?: string;
}

const ofGroup = async (id_project: string, name: string): Promise<string[]> => {
  const group = await Group.findOne({ id_project, name, trashed: false }, { members: 1 }).lean();
  if (!group) throw new AppError(422, 'INVALID', `to: ${name} is neither an address nor a group of the project`);
  return (await teammates(id_project, { users: group.members })).map(({ email }) => email);
};

/** `@…` is who leads the project; a group's name is its members. */
const addressesOf = async (id_project: string, to: string): Promise<string[]> => {
  if (to.startsWith('@')) return (await leaders(id_project)).map(({ email }) => email);
  return ADDRESS.test(to) ? [to] : ofGroup(id_project, to);
};

/** A mail to each address, all of them or none. */
const send = async (
  to: string[],
  values: Written & { subject: string },
  beside: { id_project: string; outbox: boolean; about?: string },
): Promise<void> => {
  for (const each of to) await mails.mustNotFlood('emailDirect', each, MOST_AN_HOUR);
  await mustAfford(beside.id_project, to.length);
  for (const each of to) await mails.send({ template: 'emailDirect', to: each, values }, beside);
};

/** Whom somebody writes to, and the conversation that it is about. */
interface Addressed extends Written {
  to: string;
  request_id?: string;
}

/**
 * Write to an address, to who leads the project, or to a group. Errors: 403 for a writer without a verified address, 422 for nobody,
 * 429 for an address that was written to too often, or when the project's budget is spent.
 */
export const writeTo = async (
  id_project: string,
  { to, request_id, subject = '', ...written }: Addressed,
  by: Writer,
): Promise<void> => {
  const { outbox } = await checkWriter(id_project, by);
  const about = request_id ? String((await find({ id_project, request_id }))._id) : undefined;
  await send(await addressesOf(id_project, to), { ...written, subject }, { id_project, outbox, about });
};

/** Write to the lead of a conversation; false where it has no e-mail. Errors: 403, 404, 429. */
export const writeToLead = async (
  where: Conversation,
  { subject, ...written }: Written,
  by: Writer,
): Promise<boolean> => {
  const { outbox } = await checkWriter(where.id_project, by);
  const request = await find(where);
  const { email } = (request.snapshot.lead ?? {}) as { email?: string };
  if (!email) return false;
  const topic = subject || request.subject || request.first_text;
  const beside = { id_project: where.id_project, outbox, about: String(request._id) };
  await send([email], { ...written, subject: topic }, beside);
  return true;
};
