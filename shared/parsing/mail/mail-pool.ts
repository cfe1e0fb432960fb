/** Parses received emails in a thread with time and memory limits. */
import { ThreadPool } from '../../concurrency/thread-pool.ts';
import { AppError } from '../../errors.ts';
import type { MailOutput, MailTask, ParsedMail } from './mail-tasks.ts';

const TIMEOUT_SECONDS = 10;
const MEMORY_MIB = 256;

const tooComplex = (what: string) =>
  new AppError(422, 'MAIL_TOO_COMPLEX', `Reading the email took more than ${what}; send a simpler email`);

const pool = new ThreadPool<MailTask, MailOutput>({
  file: new URL('./mail-thread.ts', import.meta.url),
  threads: 1,
  timeoutSeconds: TIMEOUT_SECONDS,
  memoryMib: MEMORY_MIB,
  errors: {
    timeout: (seconds) => tooComplex(`${seconds} s`),
    memory: (mib) => tooComplex(`${mib} MiB`),
    stopped: () => new Error('The thread that parses emails was stopped'),
  },
});

/**
 * Parses an email and writes its attachments to files. Throws a 422 if the file is not an email, or if parsing it
 * exceeds the time or memory limit.
 */
export const parseMailFile = async (task: MailTask): Promise<ParsedMail> => {
  const output = await pool.run(task);
  if ('mail' in output) return output.mail;
  const { code, message } = output.systemError;
  throw Object.assign(new Error(message), { code });
};
