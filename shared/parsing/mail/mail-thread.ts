/** The thread that parses mails, which are untrusted. */
import { serveTasks } from '../../concurrency/thread-tasks.ts';
import { parseMail } from './parse-mail.ts';

serveTasks(parseMail, { failureCode: 'MAIL_MALFORMED' });
