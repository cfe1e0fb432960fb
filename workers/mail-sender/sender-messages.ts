/** The messages between a worker and its sender process: plain data. */
import type { SmtpTask } from './send-and-record.ts';

/** A task. Its result has the same number. */
export interface NumberedTask {
  number: number;
  task: SmtpTask;
}

/** The fields of a delivery error that `deliveryFailure` reads. */
export interface SentError {
  message: string;
  code?: string;
  responseCode?: number;
  response?: string;
  /** The SMTP command that has failed, such as `RCPT TO`. */
  command?: string;
}

/** The result of a task. Without an error, the email was sent and recorded. */
export interface TaskResult {
  number: number;
  error?: SentError;
}
