/**
 * Mails: written down first, sent by a job, which takes its turn in the same record. A mail may go out twice when a worker
 * is killed between the server's yes and our note of it; its message id is the same then.
 */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Template, Values } from '../../mail/templates.ts';
import { Mail } from '../../models/mail.ts';
import { makeOnce } from '../../mongo.ts';
import { enqueue } from '../../queue.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 90_000;
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = HOUR_MS;
const GIVEN_UP_AFTER_MS = 48 * HOUR_MS;
const MOST_AN_HOUR = 5;
const SWEPT = 1000;

/** Templates whose link is a secret: it is made when the mail is sent. */
export interface SecretValues {
  verify: Record<string, never>;
  resetPassword: Record<string, never>;
  redirectToDesktopEmail: { project: string; path: string };
  beenInvitedNewUser: { project: string; role: string; inviter: string; invitation: string };
}

/** A mail to be written; the secret ones are told only what their link is made of. */
export type NewMail = {
  [T in Template]: { template: T; to: string; values: T extends keyof SecretValues ? SecretValues[T] : Values<T> };
}[Template];

/** Write a mail down, in the transaction of what it tells of; `nudge` with its id once that is committed. */
export const write = async (mail: NewMail, session?: ClientSession): Promise<string> => {
  const _id = newId();
  await Mail.create([{ _id, ...mail, due: new Date() }], { session });
  return _id;
};

/** Have a mail sent that was written. */
export const nudge = (mail: string): Promise<void> => enqueue('mail.send', { mail });

/** Why a mail that its project could not afford was not sent, in its record. */
export const DROPPED = 'PROJECT_MAILS_PER_HOUR';

/** What the record of a mail holds beside the mail itself. */
interface Beside {
  _id?: string;
  /** The record that it is about. */
  about?: string;
  /** The project that it is written for. */
  id_project?: string;
  /** It may only go to the outbox folder. */
  outbox?: boolean;
  /** Why it is not sent: then its record alone is written, without its values. */
  failure?: string;
}

/** Write a mail and have it sent; false for one that an earlier try of the same effect wrote. */
export const send = async (mail: NewMail, { _id = newId(), ...beside }: Beside = {}): Promise<boolean> => {
  const isDropped = beside.failure !== undefined;
  const rest = isDropped ? { values: {} } : { due: new Date() };
  const isNew = await makeOnce(() => Mail.create([{ _id, ...mail, ...beside, ...rest }]));
  if (!isDropped) await nudge(_id);
  return isNew;
};

const since = (ms: number) => ({ createdAt: { $gt: new Date(Date.now() - ms) } });

/** True when somebody was told so of this record, within so many milliseconds. */
export const wasTold = async (template: Template, { to, about }: { to: string; about: string }, ms: number) =>
  Boolean(await Mail.exists({ to, template, about, failure: { $ne: DROPPED }, ...since(ms) }));

/** True for an address that was sent so many mails of this kind within an hour. */
export const isFlooded = async (template: Template, to: string, most = MOST_AN_HOUR): Promise<boolean> =>
  (await Mail.countDocuments({ to, template, ...since(HOUR_MS) }).limit(most)) >= most;

/** 429 for an address that was sent as many mails of this kind within an hour as anybody needs. */
export const mustNotFlood = async (template: Template, to: string, most?: number): Promise<void> => {
  if (!(await isFlooded(template, to, most))) return;
  throw new AppError(
    429,
    'RATE_LIMITED',
    'Several such mails were asked for within the hour; look for them first',
  ).with({
    body: { retry_after: HOUR_MS / 1000 },
    headers: { 'Retry-After': String(HOUR_MS / 1000) },
  });
};

/** A mail in the hands of a worker. */
export interface Taken {
  id: string;
  tries: number;
  mail: NewMail;
  outbox: boolean;
  createdAt: Date;
}

/** Take a mail that is due; null when it is sent, given up, or another worker's. */
export const take = async (id: string): Promise<Taken | null> => {
  const turn = { $set: { due: new Date(Date.now() + LEASE_MS) }, $inc: { tries: 1 } };
  const options = { returnDocument: 'after' } as const;
  const taken = await Mail.findOneAndUpdate({ _id: id, due: { $lte: new Date() } }, turn, options).lean();
  if (!taken) return null;
  const { tries, to, template, values, outbox, createdAt } = taken;
  return { id, tries, mail: { to, template, values } as NewMail, outbox: outbox ?? false, createdAt };
};

const end = async ({ id, tries }: Taken, more: { sentAt?: Date; failure?: string }): Promise<void> => {
  await Mail.updateOne({ _id: id, tries }, { $set: more, $unset: { due: 1, values: 1 } });
};

/** Note that a mail is on its way. */
export const sent = (taken: Taken) => end(taken, { sentAt: new Date() });

/** Give a mail up, and say why. */
export const giveUp = (taken: Taken, reason: string) => end(taken, { failure: reason });

/** Try a mail again later, each time after a longer while, for two days. */
export const tryAgain = async (taken: Taken, reason: string): Promise<void> => {
  const { id, tries, createdAt } = taken;
  if (Date.now() - createdAt.getTime() > GIVEN_UP_AFTER_MS) return giveUp(taken, reason);
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + Math.random());
  await Mail.updateOne({ _id: id, tries }, { $set: { due: new Date(Date.now() + wait), failure: reason } });
};

/** Mails that nobody was nudged for, or whose worker has died. */
export const waiting = async (): Promise<string[]> => {
  const due = await Mail.find({ due: { $lte: new Date() } }, { _id: 1 })
    .sort({ due: 1 })
    .limit(SWEPT)
    .lean();
  return due.map(({ _id }) => String(_id));
};
