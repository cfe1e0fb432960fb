/** The templates of all emails. */
import { conversationTemplates } from './conversation-templates.ts';
import { type MailText, mailText, sanitizeInline } from './mail-text.ts';
import { checkpointMail } from './quota-templates.ts';

interface LinkValues {
  link: string;
}

/** An invitation to a project. The names are untrusted text. */
interface InvitationValues extends LinkValues {
  project: string;
  role: string;
  inviter: string;
}

/**
 * A pending invitation: no account has verified the address. `account` is the account that has the address but has not
 * verified it, if any.
 */
type PendingInvitationValues = InvitationValues & { account?: { name: string; forgotPassword: string } };

const invitationMail = (
  { project, role, inviter, link }: InvitationValues,
  instruction: string,
  ...more: string[]
): MailText =>
  mailText(
    `You are invited to ${sanitizeInline(project)}`,
    `${sanitizeInline(inviter)} invites you to join the project "${sanitizeInline(project)}" with the role ${role}.`,
    `${instruction}\n${link}`,
    ...more,
  );

const pendingInvitationMail = ({ account, ...values }: PendingInvitationValues): MailText =>
  account
    ? invitationMail(
        values,
        `Your account was opened under the name "${sanitizeInline(account.name)}". Confirm with its password that this address is yours:`,
        `If you did not open that account, do not confirm. Reset its password instead, which ends all its sessions:\n${account.forgotPassword}`,
      )
    : invitationMail(values, 'Create an account with this address to begin:');

/** All templates by key. */
export const templates = {
  ...conversationTemplates,
  verify: ({ link, name }: LinkValues & { name: string }) =>
    mailText(
      'Confirm your email address',
      `An account was opened with this address under the name "${sanitizeInline(name)}". To confirm that the address is yours, open this link within 15 minutes and enter the password of the account:\n${link}`,
      'If you did not open the account, do nothing. Until the address is confirmed, the account cannot act in your name.',
    ),
  resetPassword: ({ link }: LinkValues) =>
    mailText(
      'Choose a new password',
      `A new password was requested for your account. Open this link within an hour to set it; the link works once:\n${link}`,
      'If you did not request a new password, do nothing. Your password will not change.',
    ),
  passwordChanged: () =>
    mailText(
      'Your password was changed',
      'The password of your account was changed, and all sessions that were opened with the old password were ended.',
      'If you did not change it, request a password reset immediately.',
    ),
  /**
   * The invitation sent to a person with a verified account. The person is already a teammate or, if the account was
   * verified after the invitation, soon becomes one.
   */
  beenInvitedExistingUser: (values: InvitationValues) => invitationMail(values, 'Sign in to begin:'),
  /** A pending invitation. Queued emails contain this key, so it keeps `NewUser`, although an account may exist. */
  beenInvitedNewUser: pendingInvitationMail,
  ownServerFailed: ({ project, error, since }: { project: string; error: string; since: string }) =>
    mailText(
      `The mail server of ${sanitizeInline(project)} is failing`,
      `The SMTP server in the settings of the project "${sanitizeInline(project)}" has been failing since ${since}: ${sanitizeInline(error)}. The project's emails wait and are retried for two days.`,
      'Check the host, port, user and password in the email settings. You receive this email at most once a day.',
    ),
  checkpointReachedEmail: checkpointMail,
  /** The link that opens a bot or knowledge base on another device, sent to the user who has requested it. */
  redirectToDesktopEmail: ({ link }: LinkValues) =>
    mailText(
      'Continue on your computer',
      `Open this link on your computer to continue there; it signs you in and expires after 15 minutes:\n${link}`,
    ),
};

export type TemplateName = keyof typeof templates;
/** The values that a template needs. */
export type TemplateValues<T extends TemplateName> =
  Parameters<(typeof templates)[T]> extends [infer Argument] ? Argument : Record<string, never>;
