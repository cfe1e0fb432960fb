/**
 * The sender process of a worker: sends emails over SMTP and records their acceptance. If the worker is killed, the
 * process finishes sending the emails in flight before it exits, so that no accepted email is sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongo } from '#shared/database/connection.ts';
import { sendAndRecord } from './send-and-record.ts';
import type { NumberedTask, SentError, TaskResult } from './sender-messages.ts';

/** Time limit for the emails that are being sent when the worker disconnects. */
const ORPHAN_MS = 120_000;
const CONNECTIONS = 8;

const inFlight = new Set<Promise<void>>();

const sentError = (error: unknown): SentError => {
  const { message, code, responseCode, response, command } = error as SentError;
  return { message, code, responseCode, response, command };
};

/**
 * Reports a result to the worker, unless the worker was killed; failed emails are then sent again when their leases
 * end. The callback prevents a broken connection to the worker from ending this process.
 */
const report = (result: TaskResult): void => {
  if (process.connected) process.send?.(result, undefined, undefined, () => undefined);
};

const perform = async ({ number, task }: NumberedTask): Promise<void> => {
  try {
    await sendAndRecord(task);
    report({ number });
  } catch (error) {
    report({ number, error: sentError(error) });
  }
};

/** Finishes sending the emails in flight, and exits. */
const end = async (): Promise<void> => {
  await Promise.race([Promise.all(inFlight), sleep(ORPHAN_MS)]);
  process.exit();
};

const connected = connectMongo({ maxPoolSize: CONNECTIONS });

// Ignores stop signals, because they also reach the worker, which waits for its emails and then disconnects.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.on('message', (message: NumberedTask) => {
  const work = connected.then(() => perform(message));
  inFlight.add(work);
  void work.finally(() => inFlight.delete(work));
});
process.once('disconnect', () => void end());
// The worker may have been killed before the `disconnect` handler was registered.
if (!process.connected) setImmediate(end);
