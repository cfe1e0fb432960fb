/**
 * A pool of threads for work on untrusted input, with limits on CPU time and memory per task. Tasks run in order of
 * arrival.
 */
import { type QueuedTask, type ThreadOptions, ThreadSlot } from './thread-slot.ts';

/**
 * A fixed number of threads with one queue. A thread is started for its first task, and does not keep the process alive
 * while it is idle. A task that exceeds a limit fails without affecting other tasks.
 */
export class ThreadPool<Task, Output> {
  readonly #slots: ThreadSlot<Task, Output>[];
  readonly #queue: QueuedTask<Task, Output>[] = [];
  readonly #createStoppedError: () => Error;

  constructor({ threads, ...options }: ThreadOptions & { threads: number }) {
    this.#createStoppedError = options.errors.stopped;
    this.#slots = Array.from({ length: threads }, () => new ThreadSlot<Task, Output>(options, () => this.#startNext()));
  }

  /**
   * Runs a task. Rejects immediately when the signal aborts: a queued task is removed, while a running task continues
   * within its limits.
   */
  async run(task: Task, transfer: ArrayBuffer[] = [], signal?: AbortSignal): Promise<Output> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const queued = { task, transfer, resolve, reject };
    const dropTask = () => this.#dropTask(queued, signal?.reason);
    signal?.addEventListener('abort', dropTask, { once: true });
    this.#queue.push(queued);
    this.#startNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', dropTask);
    }
  }

  /** Ends all threads; unfinished tasks reject with the `stopped` error. The pool can be used again. */
  async close(): Promise<void> {
    const queuedTasks = this.#queue.splice(0);
    await Promise.all(this.#slots.map((slot) => slot.close()));
    for (const { reject } of queuedTasks) reject(this.#createStoppedError());
  }

  #dropTask(queued: QueuedTask<Task, Output>, reason: Error): void {
    const index = this.#queue.indexOf(queued);
    if (index >= 0) this.#queue.splice(index, 1);
    queued.reject(reason);
  }

  #startNext(): void {
    const slot = this.#slots.find(({ isBusy }) => !isBusy);
    const queued = slot && this.#queue.shift();
    if (queued) slot.run(queued);
  }
}
