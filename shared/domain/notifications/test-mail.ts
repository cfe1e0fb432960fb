/** Tests an SMTP server by sending an email. */
import { newId } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { prepareDelivery, sendOverSmtp } from '../../mail/deliver.ts';
import { sanitizeInline } from '../../mail/mail-text.ts';
import { chargeMails } from '../mails/budget.ts';
import { isSameServer, mayUseSender, parseServer, readSender } from '../mails/sender-settings.ts';
import { checkMailAuthor, type MailAuthor } from './mail-authors.ts';

const MAX_ERROR_CHARACTERS = 500;

/** The response of the SMTP server or, if there is none, the error. */
export interface TestResult {
  error: { code: string; message: string; responseCode?: number } | null;
  response: { accepted: string[]; rejected: string[]; response: string; messageId: string } | null;
}

const addressesOf = (list: (string | { address: string })[] = []): string[] =>
  list.map((each) => (typeof each === 'string' ? each : each.address));

const failureOf = (error: unknown): TestResult['error'] => {
  const { code, message, responseCode } = error as { code?: string; message: string; responseCode?: number };
  return {
    code: code ?? 'INTERNAL',
    message: message.slice(0, MAX_ERROR_CHARACTERS),
    ...(responseCode !== undefined && { responseCode }),
  };
};

/**
 * Sends a test email through the server in `config` or, without `config`, through the project's own server. The stored
 * password is used only for the stored server. Errors: 403 if `checkMailAuthor` rejects the author, 422 if there is no
 * server, 429 if the project's mail budget is exhausted.
 */
export const sendTestMail = async (
  id_project: string,
  { to, config }: { to: string; config?: Record<string, unknown> },
  author: MailAuthor,
): Promise<TestResult> => {
  await checkMailAuthor(id_project, author);
  const sender = await readSender(id_project);
  const given = parseServer(config);
  const stored = sender?.server;
  const server =
    given && isSameServer(given, stored) ? { ...given, pass: given.pass ?? stored?.pass } : (given ?? stored);
  if (!sender || !server)
    throw new AppError(422, 'INVALID', 'config: host is required, because the project has no SMTP server of its own');
  await chargeMails(id_project, 1);
  const text = `This is a test of the SMTP server of "${sanitizeInline(sender.name)}". It works.\n`;
  const mail = { id: newId(), to, outbox: false, subject: 'Test of the SMTP server', text };
  const from = sender.from && mayUseSender({ ...sender, server }) ? { from: sender.from } : {};
  try {
    const delivery = await prepareDelivery({ ...mail, ...from }, server);
    const { accepted, rejected, response = '', messageId } = await sendOverSmtp(delivery);
    const lists = { accepted: addressesOf(accepted), rejected: addressesOf(rejected) };
    return { error: null, response: { ...lists, response, messageId } };
  } catch (error) {
    return { error: failureOf(error), response: null };
  }
};
