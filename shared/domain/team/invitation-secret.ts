/** The secret in the mail of an invitation: its id, which the team sees too, and a code that only the mail to that address shows. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyFor } from '../../tokens.ts';

const SECRET = /^([0-9a-f]{24})-([\w-]{43})$/;

/** An invitation, and the e-mail that it was sent to. */
interface Sent {
  invitation: string;
  email: string;
}

let key: Buffer | undefined;

const codeOf = ({ invitation, email }: Sent): string => {
  key ??= keyFor('invitations');
  return createHmac('sha256', key).update(`${invitation}:${email}`).digest('base64url');
};

/** The secret of an invitation. It ends with the invitation, and when the invitation goes to another e-mail. */
export const secretOf = (sent: Sent): string => `${sent.invitation}-${codeOf(sent)}`;

/** The id that a secret names, or null for a text that is no secret. The code is not checked. */
export const invitationIn = (secret: string): string | null => SECRET.exec(secret)?.[1] ?? null;

/** True for the secret of this invitation to this e-mail. */
export const isSecretOf = (secret: string, sent: Sent): boolean => {
  const [, invitation, code = ''] = SECRET.exec(secret) ?? [];
  return invitation === sent.invitation && timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(sent)));
};
