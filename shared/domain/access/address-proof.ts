/**
 * Decides whether an account counts as the owner of its email address. Only the owner can accept invitations to this
 * address and request sign-in links for other devices. The address must be verified, except in `trusting` mode. That
 * mode is the default if no mail server is configured, because addresses cannot be verified without one.
 */
import { config } from '../../config.ts';

type InvitationMode = NonNullable<typeof config.INVITATIONS>;

const MODE_NOTICES: Record<InvitationMode, string> = {
  verified: 'INVITATIONS=verified: an invited person becomes a member once the email address is verified',
  trusting:
    'INVITATIONS=trusting: accounts with an invited email address become members; with SMTP_URL and INVITATIONS=verified, they must verify it',
};

/**
 * Returns the mode in effect: `INVITATIONS` if it is set; otherwise `verified` if `SMTP_URL` is set, and `trusting` if
 * it is not.
 */
export const invitationMode = (): InvitationMode => config.INVITATIONS ?? (config.SMTP_URL ? 'verified' : 'trusting');

/** Describes the mode in one line, for the log and the readiness page. */
export const invitationNotice = (): string => MODE_NOTICES[invitationMode()];

/** Returns whether an account counts as the owner of its address: it is verified, or the mode is `trusting`. */
export const ownsAddress = ({ emailverified }: { emailverified?: boolean | null }): boolean =>
  emailverified === true || invitationMode() === 'trusting';
