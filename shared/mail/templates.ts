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

const invitation = ({ project, role, inviter, link }: Invitation, next: string): Text =>
  letter(
    `You are invited to ${quoted(project)}`,
    `${quoted(inviter)} invites you to work in the project "${quoted(project)}" as ${role}.`,
    `${next}\n${link}`,
  );

/** Every mail there is, by the key of its template (contract d, D.4). */
export const templates = {
  ...conversationTemplates,
  verify: ({ link }: Link) =>
    letter(
      'Confirm your e-mail address',
      `this address was given for a new account. Open this link within 15 minutes to confirm that it is yours:\n${link}`,
      'If you made no account, do nothing.',
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
  beenInvitedNewUser: (values: Invitation) => invitation(values, 'Make an account with this address to begin:'),
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
