/** The secret in the mail of an invitation: its id, which the team sees too, and a code that only the mail shows. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyFor } from '../../tokens.ts';

const SECRET = /^([0-9a-f]{24})-([\w-]{43})$/;

let key: Buffer | undefined;

const codeOf = (invitation: string): string => {
  key ??= keyFor('invitations');
  return createHmac('sha256', key).update(invitation).digest('base64url');
};

/** The secret of an invitation. It ends with the invitation. */
export const secretOf = (invitation: string): string => `${invitation}-${codeOf(invitation)}`;

/** The id of the invitation with this secret, or null for a text that is none. */
export const invitationOf = (secret: string): string | null => {
  const [, invitation = '', code = ''] = SECRET.exec(secret) ?? [];
  return invitation && timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(invitation))) ? invitation : null;
};
