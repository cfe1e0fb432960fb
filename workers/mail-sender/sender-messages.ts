/** The messages between a worker and its sender process: plain data. */
import type { SmtpTask } from './send-and-record.ts';

/** A task; its number is that of the answer. */
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
}

/** The result of a task: the error, or none if the mail was sent and recorded. */
export interface TaskResult {
  number: number;
  error?: SentError;
}
