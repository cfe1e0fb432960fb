/**
 * Leases of the emails in the queue, and the results of the attempts to send them. Calls that are made at the same time
 * share database commands.
 */
import { Types } from 'mongoose';
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { config } from '../../config.ts';
import { Mail, type MailedConversation } from '../../models/mail.ts';
import { backoffMs } from '../../time/backoff.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import type { NewMail } from './mail-queue.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = config.LEASE_SECONDS * 1000;
const RENEWALS_PER_LEASE = 4;
const FIRST_RETRY_DELAY_MS = 15_000;
const MAX_RETRY_DELAY_MS = HOUR_MS;
const MAX_RETRY_AGE_MS = 48 * HOUR_MS;

/** The lease of an email, held by one attempt to send it. */
export interface MailLease {
  id: string;
  attemptsMade: number;
}

/** An email leased by a worker. */
export interface LeasedMail extends MailLease {
  mail: NewMail;
  outbox: boolean;
  createdAt: Date;
  /** The project that the email is sent for, and the id of the record that it reports on. */
  id_project?: string;
  record?: string;
  conversation?: MailedConversation;
  /** Whether this is the copy for `EMAIL_BCC`. */
  isCopy: boolean;
}

const newLease = (leaseId = String(new Types.ObjectId())) => ({
  $set: { dueAt: new Date(currentTimeMs() + LEASE_MS), leaseId },
  $inc: { attemptsMade: 1 },
  $unset: { isWaiting: 1 },
});

type StoredMail = NonNullable<Awaited<ReturnType<typeof findLeased>>>[number];

const toLeasedMail = (found: StoredMail): LeasedMail => {
  const { _id, attemptsMade, to, template, values, outbox, createdAt, id_project, record, copy } = found;
  const conversation = (found.conversation ?? undefined) as MailedConversation | undefined;
  const mail = { to, template, values } as NewMail;
  const origin = { id_project: id_project ?? undefined, record: record ?? undefined, conversation };
  return { id: String(_id), attemptsMade, mail, outbox: outbox ?? false, createdAt, ...origin, isCopy: copy ?? false };
};

/** Leases the email that has been due longest among those that match the filter; null if none is due. */
const leaseWhere = async (filter: object): Promise<LeasedMail | null> => {
  const options = { returnDocument: 'after', sort: { dueAt: 1 } } as const;
  const found = await Mail.findOneAndUpdate({ ...filter, dueAt: { $lte: currentTime() } }, newLease(), options).lean();
  return found && toLeasedMail(found);
};

const findLeased = (ids: string[], leaseId: string) => Mail.find({ _id: { $in: ids }, leaseId }).lean();

/** Leases those of the given emails that are due, with at most two commands. */
const leaseTogether = batchCalls(async (ids: string[]): Promise<(LeasedMail | null)[]> => {
  const [first = ''] = ids;
  if (ids.length === 1) return [await leaseWhere({ _id: first })];
  const leaseId = String(new Types.ObjectId());
  await Mail.updateMany({ _id: { $in: ids }, dueAt: { $lte: currentTime() } }, newLease(leaseId));
  const leased = new Map((await findLeased(ids, leaseId)).map((mail) => [String(mail._id), toLeasedMail(mail)]));
  return ids.map((id, index) => (ids.indexOf(id) === index ? (leased.get(id) ?? null) : null));
});

/** Leases a due email. Returns null if it was sent, has failed, is not due, or is leased by another worker. */
export const leaseMail = (id: string): Promise<LeasedMail | null> => leaseTogether(id);

/** Leases the project's email that has been due longest; null if none is due. */
export const leaseMailOfProject = (id_project: string): Promise<LeasedMail | null> =>
  leaseWhere({ id_project, outbox: { $ne: true } });

/** Renews the lease of an email until the returned function is called. */
export const keepLease = ({ id, attemptsMade }: MailLease): (() => void) => {
  const renew = async (): Promise<void> => {
    const held = { _id: id, attemptsMade, dueAt: { $exists: true }, isWaiting: { $ne: true } };
    await Mail.updateOne(held, { $set: { dueAt: new Date(currentTimeMs() + LEASE_MS) } });
  };
  const timer = setInterval(() => void renew().catch(() => undefined), LEASE_MS / RENEWALS_PER_LEASE);
  return () => clearInterval(timer);
};

/** The result of the last attempt to send an email. */
interface FinishedMail {
  lease: MailLease;
  result: { sentAt?: Date; failure?: string };
}

/** Records the results of several emails with one command. */
const finishTogether = batchCalls(async (finished: FinishedMail[]) => {
  const updates = finished.map(({ lease: { id, attemptsMade }, result }) => ({
    updateOne: {
      filter: { _id: id, attemptsMade },
      update: { $set: result, $unset: { dueAt: 1, values: 1, isWaiting: 1 } } as const,
    },
  }));
  await Mail.bulkWrite(updates, { ordered: false });
  return finished.map(() => undefined);
});

/** Marks an email as sent. */
export const markSent = async (lease: MailLease): Promise<void> =>
  finishTogether({ lease, result: { sentAt: currentTime() } });

/** Marks an email as permanently failed. */
export const markFailed = async (lease: MailLease, reason: string): Promise<void> =>
  finishTogether({ lease, result: { failure: reason } });

/** Schedules the next attempt with exponential backoff. An email older than two days is marked as failed instead. */
export const reschedule = async (leased: LeasedMail, reason: string): Promise<void> => {
  const { id, attemptsMade, createdAt } = leased;
  if (currentTimeMs() - createdAt.getTime() > MAX_RETRY_AGE_MS) return markFailed(leased, reason);
  const wait = backoffMs(attemptsMade, { baseMs: FIRST_RETRY_DELAY_MS, maxMs: MAX_RETRY_DELAY_MS });
  const dueAt = new Date(currentTimeMs() + wait);
  await Mail.updateOne({ _id: id, attemptsMade }, { $set: { dueAt, failure: reason, isWaiting: true } });
};
