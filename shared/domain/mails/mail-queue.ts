/**
 * The mail queue. An email is stored first; a job then leases its record (`mail-leases.ts`). A separate process sends
 * the email and records the result (`workers/mail-sender/`). If that process is killed after the SMTP server has
 * accepted the email, but before the record is updated, the email is sent again with the same Message-ID.
 */
import { hash } from 'node:crypto';
import { type ClientSession, Types } from 'mongoose';
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { type Emission, serializeEvents } from '../../database/plugins/event-outbox.ts';
import { insertEachMissing } from '../../database/raw-write.ts';
import { AppError } from '../../errors.ts';
import type { TemplateName, TemplateValues } from '../../mail/templates.ts';
import { Mail, type MailedConversation } from '../../models/mail.ts';
import { enqueue } from '../../queue/queue.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';

const HOUR_MS = 3_600_000;
const MAX_MAILS_PER_HOUR = 5;
const MAILS_PER_SWEEP = 1000;

/**
 * Values of templates with a secret link. The link is generated when the email is sent, so that it is never stored.
 */
export interface SecretMailValues {
  verify: Record<string, never>;
  resetPassword: Record<string, never>;
  redirectToDesktopEmail: { project: string; path: string };
  /** `id_project` is absent from emails that earlier versions stored. */
  beenInvitedNewUser: { id_project?: string; project: string; role: string; inviter: string; invitation: string };
}

/**
 * An email to store. For templates with a secret link, `values` holds only the data that the link is generated from.
 */
export type NewMail = {
  [T in TemplateName]: {
    template: T;
    to: string;
    values: T extends keyof SecretMailValues ? SecretMailValues[T] : TemplateValues<T>;
  };
}[TemplateName];

/** Templates whose emails are copied to `EMAIL_BCC`. Emails with a secret link are never copied. */
const COPIED_TEMPLATES = new Set<TemplateName>([
  ...(['assignedRequest', 'assignedEmailMessage', 'newMessage', 'ticket', 'sendTranscript'] as const),
  ...(['passwordChanged', 'beenInvitedExistingUser'] as const),
]);

/**
 * Returns the record of the copy for `EMAIL_BCC`, or null if none is sent. The id of the copy is derived from that of
 * the email, so that an email has only one copy.
 */
const copyOf = <M extends NewMail & { _id: string }>(mail: M) => {
  const to = config.EMAIL_BCC;
  if (!to || to === mail.to || !COPIED_TEMPLATES.has(mail.template)) return null;
  return { ...mail, _id: hash('sha256', `copy of ${mail._id}`).slice(0, 24), to, copy: true };
};

/**
 * Stores an email, and its copy for `EMAIL_BCC`, within a transaction and returns their ids. Call `enqueueMails` with
 * the ids after the commit.
 */
export const createMail = async (newMail: NewMail, session?: ClientSession): Promise<string[]> => {
  const mail = { _id: newId(), ...newMail, dueAt: currentTime() };
  const records = [mail, copyOf(mail) ?? []].flat();
  await Mail.create(records, { session, ordered: true });
  return records.map(({ _id }) => _id);
};

/**
 * Enqueues the job that sends a stored email. `id_project` is the project that the email is sent for; absent if it is
 * unknown.
 */
export const enqueueMail = (mail: string, id_project?: string): Promise<void> =>
  enqueue('mail.send', { mail, id_project });

/** Enqueues the jobs that send stored emails. */
export const enqueueMails = async (mails: string[]): Promise<void> => {
  for (const mail of mails) await enqueueMail(mail);
};

/** The values of `failure` for emails that were dropped because a budget of the project was exhausted. */
const OVER_BUDGET_FAILURES = ['PROJECT_MAILS_PER_HOUR', 'PROJECT_MAILS_PER_DAY'];

/** Additional fields of an email's record. */
interface MailRecordFields {
  _id?: string;
  /** Id of the record that the email reports on. */
  record?: string;
  conversation?: MailedConversation;
  /** The project that the email is sent for. */
  id_project?: string;
  /** Whether the email is only written to the outbox folder, `DATA_DIR/outbox`, and never sent to the SMTP server. */
  outbox?: boolean;
  /** The events that storing the email emits; created by `emits()`. */
  emits?: Emission[];
  /** Why the email is not sent. If set, only the record is stored, without values. */
  failure?: string;
}

/** Stores several emails with one command. Returns for each whether it is new. */
const insertTogether = batchCalls((documents: object[]) => insertEachMissing(Mail, documents as never));

/** Stores an email. Returns false if an email with this id already exists. */
const insertMail = ({ _id, ...mail }: { _id: string; id_project?: string }, emits?: Emission[]): Promise<boolean> => {
  const now = currentTime();
  const events = emits && { _events: serializeEvents(emits, { id_project: mail.id_project }) };
  return insertTogether({
    ...{ _id: new Types.ObjectId(_id), ...mail, attemptsMade: 0, createdAt: now, updatedAt: now, __v: 0 },
    ...events,
  });
};

/** Stores and enqueues an email. Returns false if an email with this id already exists. */
export const queueMail = async (
  newMail: NewMail,
  { _id = newId(), emits, ...recordFields }: MailRecordFields = {},
): Promise<boolean> => {
  const isDropped = recordFields.failure !== undefined;
  const rest = isDropped ? { values: {} } : { dueAt: currentTime() };
  const mail = { _id, ...newMail, ...recordFields, ...rest } as NewMail & { _id: string; outbox?: boolean };
  const isNew = await insertMail(mail, emits);
  if (isDropped) return isNew;
  const project = mail.outbox ? undefined : recordFields.id_project;
  await enqueueMail(_id, project);
  const copy = copyOf(mail);
  if (!copy) return isNew;
  await insertMail(copy);
  await enqueueMail(copy._id, project);
  return isNew;
};

/** Selects the emails created within the last `ms` milliseconds, except those that were dropped over a budget. */
const queuedWithin = (ms: number) => ({
  failure: { $nin: OVER_BUDGET_FAILURES },
  createdAt: { $gt: new Date(currentTimeMs() - ms) },
});

/**
 * Returns whether an email of this template about this record was queued for the address within the last `ms`
 * milliseconds.
 */
export const wasQueued = async (template: TemplateName, { to, record }: { to: string; record: string }, ms: number) =>
  Boolean(await Mail.exists({ to, template, record, ...queuedWithin(ms) }));

/**
 * Returns whether `limit` emails of this template to an address were stored within the last hour, sent or not. Emails
 * that were dropped because a budget of the project was exhausted do not count.
 */
export const isRateLimited = async (template: TemplateName, to: string, limit = MAX_MAILS_PER_HOUR): Promise<boolean> =>
  (await Mail.countDocuments({ to, template, ...queuedWithin(HOUR_MS) }).limit(limit)) >= limit;

/** Throws 429 if the limit of `isRateLimited` is reached. */
export const assertMailRate = async (template: TemplateName, to: string, limit?: number): Promise<void> => {
  if (!(await isRateLimited(template, to, limit))) return;
  throw new AppError(
    429,
    'RATE_LIMITED',
    'Several emails of this kind were sent to this address within the last hour; check its inbox or try again later',
  ).retryAfter(HOUR_MS / 1000);
};

/**
 * Returns the project that an email is sent for; undefined for an email of the instance, and for an email that is only
 * written to the outbox folder.
 */
export const projectOfMail = async (_id: string): Promise<string | undefined> => {
  const mail = await Mail.findOne({ _id }, { id_project: 1, outbox: 1 }).lean();
  return mail?.outbox ? undefined : (mail?.id_project ?? undefined);
};

/** Postpones the due emails of a project: they become due at `dueAt`. */
export const postponeMails = async (id_project: string, dueAt: Date): Promise<void> => {
  const due = { id_project, dueAt: { $lte: currentTime() }, outbox: { $ne: true } };
  await Mail.updateMany(due, { $set: { dueAt, isWaiting: true } });
};

/** Makes the waiting emails of a project due now. */
export const resumeMails = async (id_project: string): Promise<void> => {
  await Mail.updateMany({ id_project, isWaiting: true, dueAt: { $exists: true } }, { $set: { dueAt: currentTime() } });
};

/** Returns the ids of due emails: those whose job was lost, whose worker died or whose retry is due. */
export const findDueMails = async (): Promise<string[]> => {
  const due = await Mail.find({ dueAt: { $lte: currentTime() } }, { _id: 1 })
    .sort({ dueAt: 1 })
    .limit(MAILS_PER_SWEEP)
    .lean();
  return due.map(({ _id }) => String(_id));
};
