/** From a mail that was written down to the words that go out; secrets come in here, at the last moment. */
import type { Letter } from '../../mail/deliver.ts';
import { links } from '../../mail/links.ts';
import { type Template, templates } from '../../mail/templates.ts';
import type { Text } from '../../mail/words.ts';
import { ACTIVE } from '../../models/project.ts';
import { User } from '../../models/user.ts';
import { makeKey } from './account-keys.ts';
import type { SecretValues, Taken } from './mail.ts';
import { begin, claimsOf } from './sessions.ts';

const DESKTOP_TTL = 15 * 60;

const accountAt = (email: string) => User.findOne({ email, status: ACTIVE }).lean();

/** The link for the account with this address, or null where none is due. */
type Secret<T extends keyof SecretValues> = (
  account: NonNullable<Awaited<ReturnType<typeof accountAt>>>,
  values: SecretValues[T],
) => Promise<string | null>;

const secrets: { [T in keyof SecretValues]: Secret<T> } = {
  verify: async ({ _id, emailverified }) =>
    emailverified ? null : links.verify(String(_id), await makeKey('verify', String(_id))),
  resetPassword: async ({ _id }) => links.resetPassword(await makeKey('reset', String(_id))),
  redirectToDesktopEmail: async (account, { project, path }) =>
    links.desktop(project, path, `JWT ${await begin(claimsOf(account), { sub: 'user', ttl: DESKTOP_TTL })}`),
};

const isSecret = (template: Template): template is keyof SecretValues => template in secrets;

const textOf = async ({ mail: { template, to, values } }: Taken): Promise<Text | null> => {
  if (!isSecret(template)) return (templates[template] as (values: object) => Text)(values);
  const account = await accountAt(to);
  const link = account && (await secrets[template](account, values as never));
  return link ? templates[template]({ link }) : null;
};

/** The mail as it goes out, or null when there is nothing to say any more: no such account, or done already. */
export const compose = async (taken: Taken): Promise<Letter | null> => {
  const text = await textOf(taken);
  return text && { id: taken.id, to: taken.mail.to, ...text };
};
