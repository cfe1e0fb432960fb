/** Sign-in links for another device. */
import { AppError } from '../../errors.ts';
import { ownsAddress } from '../access/address-proof.ts';
import * as mails from '../mails/mail-queue.ts';
import { ownProfile } from './profiles.ts';

const addressUnverifiedError = () =>
  new AppError(
    403,
    'EMAIL_NOT_VERIFIED',
    'Verify the email address of the account first: the link signs in anyone who reads the email',
  );

/**
 * Emails the caller a link that opens a bot or knowledge base on another device and signs the caller in there for a
 * limited time.
 * Errors: 403 for an address that is not verified, 404 for an unknown account, 429 for too many emails.
 */
export const sendDeviceLink = async (
  id: string,
  { id_project, bot_id, namespace_id }: { id_project: string; bot_id?: string; namespace_id?: string },
): Promise<void> => {
  const user = await ownProfile(id);
  if (!ownsAddress(user)) throw addressUnverifiedError();
  const to = user.email;
  await mails.assertMailRate('redirectToDesktopEmail', to);
  const path = bot_id ? `bots/${encodeURIComponent(bot_id)}` : `kb/${encodeURIComponent(namespace_id ?? '')}`;
  const values = { project: encodeURIComponent(id_project), path };
  await mails.queueMail({ template: 'redirectToDesktopEmail', to, values });
};
