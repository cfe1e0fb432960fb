/** Runs inside a thread of a pool: performs one task at a time. The thread may be terminated at any time. */
import { setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { releaseMemory } from '../heap-memory.ts';

/** Messages of the thread: `ready` once after start-up, then one per task. */
export type ThreadMessage<Output> =
  | { type: 'ready' }
  | { type: 'done'; value: Output }
  | { type: 'failed'; code: string; message: string };

/** If the heap of the thread has at least this size after a task, it is reduced before the next task. */
const LARGE_HEAP_BYTES = 96e6;
/** A heap that is still large after it was reduced is reduced again only when it has grown by this factor. */
const MIN_GROWTH = 1.5;

/**
 * Returns a function that releases the memory that a large input has left behind. Without it, the thread would keep as
 * much memory as its largest input needed, even while the main thread of the process needs memory itself.
 */
const createRelease = (): (() => void) => {
  let keptBytes = 0;
  return () => {
    if (getHeapStatistics().total_heap_size < Math.max(LARGE_HEAP_BYTES, MIN_GROWTH * keptBytes)) return;
    releaseMemory();
    keptBytes = getHeapStatistics().total_heap_size;
  };
};

const ignoreOutput = () => undefined;

/**
 * Performs incoming tasks and posts their results. An `AppError` is reported with its own code, any other error with
 * `failureCode`.
 */
export const serveTasks = <Output>(
  perform: (task: never) => Promise<Output> | Output,
  { failureCode, transfer = () => [] }: { failureCode: string; transfer?: (output: Output) => ArrayBuffer[] },
): void => {
  // On Linux, this lowers the priority of this thread only, so that the main thread gets the CPU first.
  if (process.platform === 'linux') setPriority(0, 5);
  // Libraries print warnings about their input, which must not be mixed into the JSON log.
  Object.assign(console, {
    log: ignoreOutput,
    info: ignoreOutput,
    warn: ignoreOutput,
    error: ignoreOutput,
    debug: ignoreOutput,
  });
  const releaseIfLarge = createRelease();
  const send = (message: ThreadMessage<Output>, transferred: ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, transferred);
  parentPort?.on('message', async (task: unknown) => {
    try {
      const value = await perform(task as never);
      send({ type: 'done', value }, transfer(value));
    } catch (error) {
      // The pool rejects the task with an `AppError`, which is final: the same input would fail again.
      const code = error instanceof AppError ? error.code : failureCode;
      send({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    }
    releaseIfLarge();
  });
  send({ type: 'ready' });
};
