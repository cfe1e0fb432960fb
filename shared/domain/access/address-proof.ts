/** When an account counts as the owner of its e-mail address. Without a mail server nobody could prove one. */
import { config } from '../../config.ts';

type Mode = NonNullable<typeof config.INVITATIONS>;

const NOTICES: Record<Mode, string> = {
  verified: 'INVITATIONS=verified: an invited person is a member once the e-mail address is proved',
  trusting:
    'INVITATIONS=trusting: whoever has an account with an invited e-mail address is a member, proved or not; set SMTP_URL to have addresses proved',
};

/** The rule in force, by the settings. */
export const invitationMode = (): Mode => config.INVITATIONS ?? (config.SMTP_URL ? 'verified' : 'trusting');

/** The same in one line for whoever runs the instance. */
export const invitationNotice = (): string => NOTICES[invitationMode()];

/** True for an account that acts for its address: it has proved it, or nobody needs to. */
export const ownsAddress = ({ emailverified }: { emailverified?: boolean | null }): boolean =>
  emailverified === true || invitationMode() === 'trusting';
