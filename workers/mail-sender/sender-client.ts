/**
 * The worker's side of the sender process: passes emails to a separate process, which keeps running after the worker
 * has exited until the emails in flight are recorded. The process starts with the first email, and stops after some
 * time without emails.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { sendAndRecord, type SmtpTask } from './send-and-record.ts';
import type { NumberedTask, TaskResult } from './sender-messages.ts';

const IDLE_MS = 60_000;

/** The promises of the tasks in progress, by task number. */
type Pending = Map<number, PromiseWithResolvers<void>>;

let isEnabled = false;
let child: ChildProcess | undefined;
let pending: Pending = new Map();
let taskCount = 0;
let idleTimer: NodeJS.Timeout | undefined;

const toError = ({ message, ...fields }: NonNullable<TaskResult['error']>): Error =>
  Object.assign(new Error(message), fields);

/** Lets the process exit once its emails are sent. */
const release = (): void => {
  child?.disconnect();
  child = undefined;
};

/** Settles a task; does nothing if the process has exited, because that has rejected the task. */
const settle = (own: Pending, { number, error }: TaskResult): void => {
  const task = own.get(number);
  if (!task) return;
  own.delete(number);
  if (error) task.reject(toError(error));
  else task.resolve();
  if (!own.size) idleTimer = setTimeout(release, IDLE_MS).unref();
};

/** Starts the process. It is detached, so that a signal to the process group of the worker does not reach it. */
const startProcess = (): ChildProcess => {
  const own: Pending = new Map();
  const started = fork(new URL('./sender-process.ts', import.meta.url), [], { detached: true, stdio: 'ignore' });
  started.on('message', (result: TaskResult) => settle(own, result));
  const fail = (reason: string): void => {
    if (child === started) child = undefined;
    for (const { reject } of own.values()) reject(new Error(`the mail sender process has exited: ${reason}`));
    own.clear();
  };
  started.once('exit', (code, signal) => fail(`${code ?? signal}`));
  started.on('error', ({ message }) => fail(message));
  pending = own;
  return started;
};

const post = (process: ChildProcess, message: NumberedTask): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send(message, (error) => (error ? reject(error) : resolve()));
  });

const sendInChild = (task: SmtpTask): Promise<void> => {
  clearTimeout(idleTimer);
  child ??= startProcess();
  taskCount += 1;
  const [own, number] = [pending, taskCount];
  const answer = Promise.withResolvers<void>();
  own.set(number, answer);
  post(child, { number, task }).catch((error: Error) => settle(own, { number, error }));
  return answer.promise;
};

/** Enables the separate process. Without it, this process sends emails itself. */
export const useSenderProcess = (): void => {
  isEnabled = true;
};

/** Kills the process immediately. Emails in flight may be sent again later. */
export const killSenderProcess = (): void => {
  child?.kill('SIGKILL');
};

/**
 * Sends an email over SMTP and records that it was sent, in the separate process if enabled. Throws delivery errors.
 */
export const handToSender = (task: SmtpTask): Promise<void> => (isEnabled ? sendInChild(task) : sendAndRecord(task));
