/** The thread that parses untrusted emails. */
import { serveTasks } from '../../concurrency/thread-tasks.ts';
import type { MailOutput, MailTask } from './mail-tasks.ts';
import { isSystemError, parseMail } from './parse-mail.ts';

/** Disk errors are returned, because the pool would report thrown errors as errors in the email. */
const performTask = async (task: MailTask): Promise<MailOutput> => {
  try {
    return { mail: await parseMail(task) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { systemError: { code: error.code, message: error.message } };
  }
};

serveTasks(performTask, { failureCode: 'MAIL_MALFORMED' });
