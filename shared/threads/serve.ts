/** The inside of a thread for work on untrusted input: it does one task at a time and may be ended at any moment. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';

/** The thread's messages: once when it is up, then one for each task. */
export type Answer<Output> =
  | { type: 'ready' }
  | { type: 'done'; value: Output }
  | { type: 'failed'; code: string; message: string };

const silent = () => undefined;

/** Do the tasks that come, and say so. What fails with an error of no code of its own has the `failed` code. */
export const serve = <Output>(
  perform: (task: never) => Promise<Output> | Output,
  { failed, transfer = () => [] }: { failed: string; transfer?: (output: Output) => ArrayBuffer[] },
): void => {
  // On Linux this is the thread's own priority: the event loops of the process keep their turn.
  if (process.platform === 'linux') setPriority(0, 5);
  // What libraries print about their input is no line of our log.
  Object.assign(console, { log: silent, info: silent, warn: silent, error: silent, debug: silent });
  const answer = (message: Answer<Output>, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);
  parentPort?.on('message', async (task: unknown) => {
    try {
      const value = await perform(task as never);
      answer({ type: 'done', value }, transfer(value));
    } catch (error) {
      // The same input would fail the same way again, so this too is the end of the task.
      const code = error instanceof AppError ? error.code : failed;
      answer({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    }
  });
  answer({ type: 'ready' });
};
