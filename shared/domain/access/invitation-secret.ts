/**
 * The secret in an invitation email: the id of the invitation, which teammates can also see, and an HMAC, which only
 * the email contains.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../security/tokens.ts';

const SECRET_PATTERN = /^([0-9a-f]{24})-([\w-]{43})$/;

/** The id of an invitation, and the email address that it was sent to. */
interface InvitationAddress {
  invitation: string;
  email: string;
}

let hmacKey: Buffer | undefined;

const invitationCode = ({ invitation, email }: InvitationAddress): string => {
  hmacKey ??= deriveKey('invitations');
  return createHmac('sha256', hmacKey).update(`${invitation}:${email}`).digest('base64url');
};

/** Returns the secret of an invitation. It is valid until the invitation is deleted or sent to another address. */
export const invitationSecret = (address: InvitationAddress): string =>
  `${address.invitation}-${invitationCode(address)}`;

/**
 * Returns the invitation id that a secret contains, without checking the HMAC; null if the string does not have the
 * form of a secret.
 */
export const parseInvitationId = (secret: string): string | null => SECRET_PATTERN.exec(secret)?.[1] ?? null;

/** Returns whether a string is the secret of the given invitation. */
export const isInvitationSecret = (secret: string, address: InvitationAddress): boolean => {
  const [, invitation, code = ''] = SECRET_PATTERN.exec(secret) ?? [];
  return invitation === address.invitation && timingSafeEqual(Buffer.from(code), Buffer.from(invitationCode(address)));
};
