/** What our mails say. */
import { conversationTemplates } from './conversation-templates.ts';
import { letter, quoted, type Text } from './words.ts';

interface Link {
  link: string;
}

/** An invitation into a project; names are other people's words. */
interface Invitation extends Link {
  project: string;
  role: string;
  inviter: string;
}

/** An invitation of somebody whose address is not proved yet; `account` is the name of an account that was opened with it. */
type PendingInvitation = Invitation & { account?: { name: string; forgotPassword: string } };

const invitation = ({ project, role, inviter, link }: Invitation, next: string, ...more: string[]): Text =>
  letter(
    `You are invited to ${quoted(project)}`,
    `${quoted(inviter)} invites you to work in the project "${quoted(project)}" as ${role}.`,
    `${next}\n${link}`,
    ...more,
  );

const pendingInvitation = ({ account, ...values }: PendingInvitation): Text =>
  account
    ? invitation(
        values,
        `Confirm with the password of your account, opened under the name "${quoted(account.name)}", that this address is yours:`,
        `If you did not open that account, do not confirm it. Choose a new password, which ends everybody else's access to it:\n${account.forgotPassword}`,
      )
    : invitation(values, 'Make an account with this address to begin:');

/** Every mail there is, by the key of its template (contract d, D.4). */
export const templates = {
  ...conversationTemplates,
  verify: ({ link, name }: Link & { name: string }) =>
    letter(
      'Confirm your e-mail address',
      `an account was opened with this address under the name "${quoted(name)}". Open this link within 15 minutes, and confirm with the password of the account that the address is yours:\n${link}`,
      'If you did not open it, do nothing: as long as the address is not confirmed, the account cannot act in your name.',
    ),
  resetPassword: ({ link }: Link) =>
    letter(
      'Choose a new password',
      `somebody, probably you, asked to set a new password for your account. This link does it, once and within an hour:\n${link}`,
      'If it was not you, do nothing: your password stays as it is.',
    ),
  passwordChanged: () =>
    letter(
      'Your password was changed',
      'the password of your account was changed, and whoever was signed in with the old one is signed out.',
      'If it was not you, ask for a new password at once.',
    ),
  beenInvitedExistingUser: (values: Invitation) => invitation(values, 'Sign in to begin:'),
  beenInvitedNewUser: pendingInvitation,
  redirectToDesktopEmail: ({ link }: Link) =>
    letter(
      'Continue on your computer',
      `open this link on your computer to go on where you were; it signs you in, and holds for 15 minutes:\n${link}`,
    ),
};

export type Template = keyof typeof templates;
/** What a template is told. */
export type Values<T extends Template> =
  Parameters<(typeof templates)[T]> extends [infer Told] ? Told : Record<string, never>;
