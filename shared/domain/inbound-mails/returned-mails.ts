/** Stops a project's emails to addresses that, according to the recipients' mail servers, do not exist. */
import { isWrongAddress, mailOfMessageId } from '../../mail/deliver.ts';
import { Mail } from '../../models/mail.ts';
import type { ParsedMail } from '../../parsing/mail/mail-tasks.ts';
import { blockAddress } from '../notifications/delivery-reports.ts';

const MAX_STATUSES = 50;

/** Returns the emails of the project among those with these Message-IDs. */
const findSentMails = async (id_project: string, messageIds: string[]) => {
  const ids = messageIds.flatMap((id) => mailOfMessageId(id) ?? []);
  return ids.length ? Mail.find({ _id: { $in: ids }, id_project }, { to: 1 }).lean() : [];
};

/** Returns whether the project has sent the email with this Message-ID. */
export const wasSentByProject = async (id_project: string, messageId: string): Promise<boolean> =>
  (await findSentMails(id_project, [messageId])).length > 0;

/**
 * Blocks the failed addresses in a delivery report if the report returns an email that the project sent to them. A
 * forged report has no effect: its author does not know the Message-ID of such an email. Returns whether the report is
 * about an email of the project.
 */
export const blockReturnedAddresses = async (
  id_project: string,
  { statuses, returnedIds }: NonNullable<ParsedMail['deliveryReport']>,
): Promise<boolean> => {
  const sent = await findSentMails(id_project, returnedIds);
  for (const { recipients, status, isFailed } of statuses.slice(0, MAX_STATUSES)) {
    const returned = sent.find(({ to }) => recipients.includes(to.toLowerCase()));
    if (!returned || !isFailed || !isWrongAddress(status)) continue;
    await blockAddress(id_project, { address: returned.to, reason: `returned ${status}`, mail: String(returned._id) });
  }
  return sent.length > 0;
};
