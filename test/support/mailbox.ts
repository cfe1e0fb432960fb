/** Mails of the product, delivered to a mail server of the suite as soon as a test opens it. */
import { config } from '#shared/config.ts';
import { aMailServer, type ReceivedMail } from './mail-server.ts';
import { runJobs } from './run-jobs.ts';

/** Opens a mail server for all mails from now on. */
export const aMailbox = async () => {
  const server = await aMailServer();
  config.SMTP_URL = server.url;
  const to = async (email: string): Promise<ReceivedMail[]> => {
    await runJobs();
    return server.to(email);
  };
  return {
    to,
    /** The last part of the link in the latest mail to an address. */
    keyTo: async (email: string): Promise<string> => {
      const text = (await to(email)).at(-1)?.text ?? '';
      return /\/([\w-]+)\s*$/m.exec(text.match(/http\S+/)?.[0] ?? '')?.[1] ?? '';
    },
    close: () => {
      config.SMTP_URL = undefined;
    },
  };
};
