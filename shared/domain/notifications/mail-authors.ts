/**
 * Decides who may send emails on behalf of a project: only people with a verified address. If the instance has no SMTP
 * server (`SMTP_URL`), unverified people may also send emails, but these go only to the `outbox` folder in `DATA_DIR`.
 */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { teammateRecipients } from './recipients.ts';

/** The author of a manual email: an account (`kind` is `user`) or a program of the project. */
export interface MailAuthor {
  kind: string;
  verified?: boolean;
}

const isVerifiedAuthor = async (id_project: string, { kind, verified }: MailAuthor): Promise<boolean> =>
  kind === 'user'
    ? verified === true
    : (await teammateRecipients(id_project, { roles: ['owner'] })).some(({ verified: isVerified }) => isVerified);

/**
 * Returns whether an account's emails may only be written to the outbox folder, because its address is not verified.
 */
export const isOutboxOnly = ({ verified }: { verified?: boolean }): boolean => !verified;

/**
 * Returns whether an author must not send emails, because the author is unverified and an SMTP server is configured.
 */
export const isRejectedAuthor = (author: { verified?: boolean }): boolean =>
  isOutboxOnly(author) && Boolean(config.SMTP_URL);

/**
 * Checks the author of a manual email. Returns whether the author's emails may only go to the outbox folder. A
 * program is treated as verified if an owner of the project is verified. Throws 403 for an unverified author if an SMTP
 * server is configured.
 */
export const checkMailAuthor = async (id_project: string, author: MailAuthor): Promise<{ outbox: boolean }> => {
  const verification = { verified: await isVerifiedAuthor(id_project, author) };
  if (!isRejectedAuthor(verification)) return { outbox: isOutboxOnly(verification) };
  const subject = author.kind === 'user' ? 'your account' : "the project's owner";
  throw new AppError(
    403,
    'EMAIL_UNVERIFIED',
    `Emails are sent only on behalf of verified people: verify the email address of ${subject} first`,
  );
};
