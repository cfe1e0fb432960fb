/** From a mail that was written down to the words that go out; secrets come in here, at the last moment. */
import type { Letter } from '../../mail/deliver.ts';
import { links } from '../../mail/links.ts';
import { type Template, templates } from '../../mail/templates.ts';
import type { Text } from '../../mail/words.ts';
import { ACTIVE } from '../../models/project.ts';
import { User } from '../../models/user.ts';
import { INVITATION_LIFE_MS, makeKey } from './account-keys.ts';
import { ownsAddress } from './address-proof.ts';
import { secretOf } from '../team/invitation-secret.ts';
import type { SecretValues, Taken } from './mail.ts';
import { begin, claimsOf } from './sessions.ts';

const DESKTOP_TTL = 15 * 60;

const accountAt = (email: string) => User.findOne({ email, status: ACTIVE }).lean();

type Account = NonNullable<Awaited<ReturnType<typeof accountAt>>>;

const nameOf = ({ firstname, lastname }: Account): string => [firstname, lastname].filter(Boolean).join(' ');

/** Where an invited person goes on. An account that has not proved the address does so first. */
const entrance = async (account: Account | null, sent: { invitation: string; email: string }) => {
  if (!account) return { link: links.signUp(secretOf(sent)) };
  if (ownsAddress(account)) return { link: links.signIn() };
  const id = String(account._id);
  const link = links.verify(id, await makeKey('verify', id, INVITATION_LIFE_MS));
  return { link, account: { name: nameOf(account), forgotPassword: links.forgotPassword() } };
};

/** The mail to an address, whose account is null where it has none; null where nothing is due. */
type Writer<T extends keyof SecretValues> = (
  account: Account | null,
  values: SecretValues[T],
  email: string,
) => Promise<Text | null>;

const secrets: { [T in keyof SecretValues]: Writer<T> } = {
  verify: async (account) => {
    if (!account || account.emailverified) return null;
    const id = String(account._id);
    return templates.verify({ link: links.verify(id, await makeKey('verify', id)), name: nameOf(account) });
  },
  resetPassword: async (account) =>
    account && templates.resetPassword({ link: links.resetPassword(await makeKey('reset', String(account._id))) }),
  redirectToDesktopEmail: async (account, { project, path }) => {
    if (!account) return null;
    const token = `JWT ${await begin(claimsOf(account), { sub: 'user', ttl: DESKTOP_TTL })}`;
    return templates.redirectToDesktopEmail({ link: links.desktop(project, path, token) });
  },
  beenInvitedNewUser: async (account, { invitation, ...values }, email) =>
    templates.beenInvitedNewUser({ ...values, ...(await entrance(account, { invitation, email })) }),
};

const isSecret = (template: Template): template is keyof SecretValues => template in secrets;

const textOf = async ({ mail: { template, to, values } }: Taken): Promise<Text | null> =>
  isSecret(template)
    ? secrets[template](await accountAt(to), values as never, to)
    : (templates[template] as (values: object) => Text)(values);

/** The mail as it goes out, or null when there is nothing to say any more: no such account, or done already. */
export const compose = async (taken: Taken): Promise<Letter | null> => {
  const text = await textOf(taken);
  return text && { id: taken.id, to: taken.mail.to, outbox: taken.outbox, ...text };
};
