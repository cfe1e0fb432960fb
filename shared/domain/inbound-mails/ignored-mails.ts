/** Decides which received emails have no effect, so that programs never write to each other in a loop. */
import { config } from '../../config.ts';
import { instanceSender } from '../../mail/deliver.ts';
import { readSender } from '../mails/sender-settings.ts';
import type { Envelope, PersonalMail } from './inbound-mail.ts';
import { wasSentByProject } from './returned-mails.ts';

/** The senders that mail servers use for returned emails instead of a person's address. */
const EMPTY_SENDER = /^(<>|mailer-daemon(@.*)?)$/i;

const isOwnAddress = async (id_project: string, address: string): Promise<boolean> => {
  const domain = config.EMAIL_INBOUND_DOMAIN?.replace('*', id_project);
  if (domain && address.endsWith(`@${domain.toLowerCase()}`)) return true;
  const sender = await readSender(id_project);
  return [instanceSender().address, sender?.from?.address].some((own) => own?.toLowerCase() === address);
};

/**
 * Returns why an email must be ignored: `automatic` if a program sent it, `own` if this system sent it. Returns
 * undefined for an email from a person.
 */
export const reasonToIgnore = async (
  id_project: string,
  mail: PersonalMail,
  { sender = '' }: Envelope,
): Promise<'automatic' | 'own' | undefined> => {
  const isOwn = mail.sendingProject === id_project || (await isOwnAddress(id_project, mail.from.address));
  if (isOwn || (await wasSentByProject(id_project, mail.messageId))) return 'own';
  return mail.automaticBy !== undefined || EMPTY_SENDER.test(sender.trim()) ? 'automatic' : undefined;
};
