/** The emails that the product sends, delivered to a mail server of the suite. */
import { config } from '#shared/config.ts';
import { aMailServer, type ReceivedMail } from './mail-server.ts';
import { runJobs } from './run-jobs.ts';

/** Starts a mail server to which all emails are delivered until `close` is called. */
export const aMailbox = async () => {
  const server = await aMailServer();
  config.SMTP_URL = server.url;
  const mailsTo = async (email: string): Promise<ReceivedMail[]> => {
    await runJobs();
    return server.to(email);
  };
  return {
    mailsTo,
    /** The secret in the latest email to an address: the last part of the path of its link. */
    secretTo: async (email: string): Promise<string> => {
      const text = (await mailsTo(email)).at(-1)?.text ?? '';
      return /\/([\w-]+)\s*$/m.exec(text.match(/http\S+/)?.[0] ?? '')?.[1] ?? '';
    },
    close: () => {
      config.SMTP_URL = undefined;
    },
  };
};
