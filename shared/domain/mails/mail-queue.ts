/**
 * The mail queue: a mail is stored first and sent by a job, which leases its record. If a worker is killed between the
 * SMTP server's acceptance and the update of the record, the mail is sent twice, with the same message id.
 */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError } from '../../errors.ts';
import type { TemplateName, TemplateValues } from '../../mail/templates.ts';
import { Mail } from '../../models/mail.ts';
import { enqueue } from '../../queue/queue.ts';
import { backoffMs } from '../../time/backoff.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 90_000;
const FIRST_RETRY_DELAY_MS = 15_000;
const MAX_RETRY_DELAY_MS = HOUR_MS;
const MAX_RETRY_AGE_MS = 48 * HOUR_MS;
const MAX_MAILS_PER_HOUR = 5;
const MAILS_PER_SWEEP = 1000;

/** Values of templates with a secret link. The link is generated when the mail is sent, so that it is never stored. */
export interface SecretMailValues {
  verify: Record<string, never>;
  resetPassword: Record<string, never>;
  redirectToDesktopEmail: { project: string; path: string };
  beenInvitedNewUser: { project: string; role: string; inviter: string; invitation: string };
}

/** A mail to be stored. For templates with a secret link, `values` holds only what the link is generated from. */
export type NewMail = {
  [T in TemplateName]: {
    template: T;
    to: string;
    values: T extends keyof SecretMailValues ? SecretMailValues[T] : TemplateValues<T>;
  };
}[TemplateName];

/** Stores a mail within a transaction and returns its id. Call `enqueueMail` with the id after the commit. */
export const createMail = async (mail: NewMail, session?: ClientSession): Promise<string> => {
  const _id = newId();
  await Mail.create([{ _id, ...mail, dueAt: new Date() }], { session });
  return _id;
};

/** Enqueues the job that sends a stored mail. */
export const enqueueMail = (mail: string): Promise<void> => enqueue('mail.send', { mail });

/** `failure` of a mail that was dropped because the project's hourly budget was exhausted. */
export const OVER_BUDGET_FAILURE = 'PROJECT_MAILS_PER_HOUR';

/** Additional fields of a mail's record. */
interface MailRecordFields {
  _id?: string;
  /** Id of the record that the mail reports on. */
  record?: string;
  /** The project that the mail is sent for. */
  id_project?: string;
  /** Writes the mail to the outbox folder only, never to the SMTP server. */
  outbox?: boolean;
  /** Why the mail is not sent. If set, only the record is stored, without values. */
  failure?: string;
}

/** Stores and enqueues a mail. Returns false if a mail with this id exists already. */
export const queueMail = async (
  mail: NewMail,
  { _id = newId(), ...recordFields }: MailRecordFields = {},
): Promise<boolean> => {
  const isDropped = recordFields.failure !== undefined;
  const rest = isDropped ? { values: {} } : { dueAt: new Date() };
  const isNew = await insertIfAbsent(() => Mail.create([{ _id, ...mail, ...recordFields, ...rest }]));
  if (!isDropped) await enqueueMail(_id);
  return isNew;
};

const createdWithin = (ms: number) => ({ createdAt: { $gt: new Date(Date.now() - ms) } });

/** Whether a mail of this template about this record was queued for the address within the last `ms` milliseconds. */
export const wasQueued = async (template: TemplateName, { to, record }: { to: string; record: string }, ms: number) =>
  Boolean(await Mail.exists({ to, template, record, failure: { $ne: OVER_BUDGET_FAILURE }, ...createdWithin(ms) }));

/** Whether an address got `limit` mails of this template within the last hour. */
export const isRateLimited = async (template: TemplateName, to: string, limit = MAX_MAILS_PER_HOUR): Promise<boolean> =>
  (await Mail.countDocuments({ to, template, ...createdWithin(HOUR_MS) }).limit(limit)) >= limit;

/** Throws 429 if an address got `limit` mails of this template within the last hour. */
export const assertMailRate = async (template: TemplateName, to: string, limit?: number): Promise<void> => {
  if (!(await isRateLimited(template, to, limit))) return;
  throw new AppError(
    429,
    'RATE_LIMITED',
    'Several mails of this kind were sent to this address within the last hour; check its inbox or try again later',
  ).retryAfter(HOUR_MS / 1000);
};

/** A mail leased by a worker. */
export interface LeasedMail {
  id: string;
  attemptsMade: number;
  mail: NewMail;
  outbox: boolean;
  createdAt: Date;
}

/** Leases a due mail. Returns null if the mail is sent, failed, not due, or leased by another worker. */
export const leaseMail = async (id: string): Promise<LeasedMail | null> => {
  const lease = { $set: { dueAt: new Date(Date.now() + LEASE_MS) }, $inc: { attemptsMade: 1 } };
  const options = { returnDocument: 'after' } as const;
  const record = await Mail.findOneAndUpdate({ _id: id, dueAt: { $lte: new Date() } }, lease, options).lean();
  if (!record) return null;
  const { attemptsMade, to, template, values, outbox, createdAt } = record;
  return { id, attemptsMade, mail: { to, template, values } as NewMail, outbox: outbox ?? false, createdAt };
};

const finishMail = async (
  { id, attemptsMade }: LeasedMail,
  result: { sentAt?: Date; failure?: string },
): Promise<void> => {
  await Mail.updateOne({ _id: id, attemptsMade }, { $set: result, $unset: { dueAt: 1, values: 1 } });
};

/** Marks a mail as sent. */
export const markSent = (leased: LeasedMail) => finishMail(leased, { sentAt: new Date() });

/** Marks a mail as failed for good. */
export const markFailed = (leased: LeasedMail, reason: string) => finishMail(leased, { failure: reason });

/** Schedules the next attempt with exponential backoff; after two days, marks the mail as failed. */
export const reschedule = async (leased: LeasedMail, reason: string): Promise<void> => {
  const { id, attemptsMade, createdAt } = leased;
  if (Date.now() - createdAt.getTime() > MAX_RETRY_AGE_MS) return markFailed(leased, reason);
  const wait = backoffMs(attemptsMade, { baseMs: FIRST_RETRY_DELAY_MS, maxMs: MAX_RETRY_DELAY_MS });
  await Mail.updateOne({ _id: id, attemptsMade }, { $set: { dueAt: new Date(Date.now() + wait), failure: reason } });
};

/** Returns the ids of due mails: their job was lost, their worker died, or their retry is due. */
export const findDueMails = async (): Promise<string[]> => {
  const due = await Mail.find({ dueAt: { $lte: new Date() } }, { _id: 1 })
    .sort({ dueAt: 1 })
    .limit(MAILS_PER_SWEEP)
    .lean();
  return due.map(({ _id }) => String(_id));
};
