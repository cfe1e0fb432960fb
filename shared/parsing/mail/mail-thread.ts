/** The thread that parses mails, which are untrusted. */
import { serveTasks } from '../../concurrency/thread-tasks.ts';
import type { MailOutput, MailTask } from './mail-tasks.ts';
import { isSystemError, parseMail } from './parse-mail.ts';

/** Errors of the disk are returned: the pool would report them as errors of the mail. */
const performTask = async (task: MailTask): Promise<MailOutput> => {
  try {
    return { mail: await parseMail(task) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { systemError: { code: error.code, message: error.message } };
  }
};

serveTasks(performTask, { failureCode: 'MAIL_MALFORMED' });
