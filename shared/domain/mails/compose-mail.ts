/** Renders a stored email for delivery. Secret links are generated here and never stored. */
import { emits } from '../../events.ts';
import type { OutgoingMail } from '../../mail/deliver.ts';
import type { SmtpServer } from '../../mail/guarded-smtp.ts';
import { links } from '../../mail/links.ts';
import type { MailText } from '../../mail/mail-text.ts';
import { type TemplateName, templates } from '../../mail/templates.ts';
import { PendingInvitation } from '../../models/pending-invitation.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { emitAccountEvents } from '../access/account-events.ts';
import { ownsAddress } from '../access/address-proof.ts';
import { invitationSecret } from '../access/invitation-secret.ts';
import { createOneTimeToken, INVITATION_LIFETIME_MS } from '../access/one-time-tokens.ts';
import { accountClaims, issueSessionToken } from '../access/sessions.ts';
import type { LeasedMail } from './mail-leases.ts';
import type { SecretMailValues } from './mail-queue.ts';
import { projectMail } from './project-mail.ts';
import { readSender } from './sender-settings.ts';

const DESKTOP_TOKEN_TTL_SECONDS = 15 * 60;

const findAccountByEmail = (email: string) => User.findOne({ email, status: ACCOUNT_ACTIVE }).lean();

type Account = NonNullable<Awaited<ReturnType<typeof findAccountByEmail>>>;

const accountName = ({ firstname, lastname }: Account): string => [firstname, lastname].filter(Boolean).join(' ');

/** Returns the link in a pending invitation: to sign up or, for an unverified account, to verify its address. */
const invitationLinkValues = async (account: Account | null, target: { invitation: string; email: string }) => {
  if (!account) return { link: links.signUp(invitationSecret(target)) };
  const id = String(account._id);
  const link = links.verify(id, await createOneTimeToken('verify', id, INVITATION_LIFETIME_MS));
  return { link, account: { name: accountName(account), forgotPassword: links.forgotPassword() } };
};

interface InvitationReference {
  id_project: string;
  invitation: string;
  email: string;
}

/**
 * Returns whether an invitation was withdrawn or moved to another address: it is neither pending for the address of the
 * email nor accepted by the account with that address.
 */
const isInvitationObsolete = async (account: Account | null, target: InvitationReference): Promise<boolean> => {
  const { id_project, invitation, email } = target;
  if (await PendingInvitation.exists({ id_project, _id: invitation, email })) return false;
  return !account || !(await ProjectUser.exists({ id_project, id_user: account._id, ...ACTIVE_MEMBER }));
};

/**
 * Renders an email with a secret link; returns null if the email is obsolete. `account` is null if no account has the
 * address.
 */
type SecretMailRenderer<T extends keyof SecretMailValues> = (
  account: Account | null,
  values: SecretMailValues[T],
  leased: LeasedMail,
) => Promise<MailText | null>;

const secretMailRenderers: { [T in keyof SecretMailValues]: SecretMailRenderer<T> } = {
  verify: async (account) => {
    if (!account || account.emailverified) return null;
    const id = String(account._id);
    return templates.verify({
      link: links.verify(id, await createOneTimeToken('verify', id)),
      name: accountName(account),
    });
  },
  resetPassword: async (account, _, { id: _id }) => {
    if (!account) return null;
    const id = String(account._id);
    await emitAccountEvents(id, emits('user.requestresetpassword'), { _id });
    return templates.resetPassword({ link: links.resetPassword(await createOneTimeToken('reset', id)) });
  },
  redirectToDesktopEmail: async (account, { project, path }) => {
    if (!account) return null;
    const token = `JWT ${await issueSessionToken(accountClaims(account), { sub: 'user', ttlSeconds: DESKTOP_TOKEN_TTL_SECONDS })}`;
    return templates.redirectToDesktopEmail({ link: links.desktop(project, path, token) });
  },
  beenInvitedNewUser: async (account, { id_project, invitation, ...values }, { mail: { to: email } }) => {
    if (id_project && (await isInvitationObsolete(account, { id_project, invitation, email }))) return null;
    // Since the email was queued, the account has become the owner of the address; it is, or soon becomes, a member of
    // the project.
    if (account && ownsAddress(account)) return templates.beenInvitedExistingUser({ ...values, link: links.signIn() });
    return templates.beenInvitedNewUser({ ...values, ...(await invitationLinkValues(account, { invitation, email })) });
  },
};

const isSecretTemplate = (template: TemplateName): template is keyof SecretMailValues =>
  template in secretMailRenderers;

const renderText = async (leased: LeasedMail): Promise<MailText | null> => {
  const { template, to, values } = leased.mail;
  return isSecretTemplate(template)
    ? secretMailRenderers[template](await findAccountByEmail(to), values as never, leased)
    : (templates[template] as (values: object) => MailText)(values);
};

/** An email ready for delivery, and the SMTP server of its project, if the project has one. */
export interface ComposedMail {
  mail: OutgoingMail;
  server?: SmtpServer;
}

const asCopy = (mail: OutgoingMail): OutgoingMail => ({ ...mail, subject: `${mail.subject} - notification` });

/**
 * Renders a leased email with the sender and templates of its project. Returns null if the email is obsolete because
 * the account is deleted or already verified, or because the invitation was withdrawn or moved to another address.
 */
export const composeMail = async (leased: LeasedMail): Promise<ComposedMail | null> => {
  const text = await renderText(leased);
  if (!text) return null;
  const sender = leased.id_project === undefined ? null : await readSender(leased.id_project);
  const fields = sender ? await projectMail(leased, text, sender) : text;
  const mail = { id: leased.id, to: leased.mail.to, outbox: leased.outbox, ...fields };
  return { mail: leased.isCopy ? asCopy(mail) : mail, server: sender?.server };
};
