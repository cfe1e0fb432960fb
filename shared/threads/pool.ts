/** Threads for work on untrusted input: off the event loop, within bounds, first come first served. */
import { Lane, type LaneOptions, type Waiting } from './lane.ts';

/** None of the threads starts before the first task, and an idle one keeps no process alive. A task that takes too long or too much fails alone. */
export class ThreadPool<Task, Output> {
  readonly #lanes: Lane<Task, Output>[];
  readonly #queue: Waiting<Task, Output>[] = [];
  readonly #stopped: () => Error;

  constructor({ threads, ...options }: LaneOptions & { threads: number }) {
    this.#stopped = options.errors.stopped;
    this.#lanes = Array.from({ length: threads }, () => new Lane<Task, Output>(options, () => this.#next()));
  }

  /** Have a task done. An aborted one leaves the queue; one under way is not waited for, and ends within its limits. */
  async run(task: Task, transfer: ArrayBuffer[] = [], signal?: AbortSignal): Promise<Output> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const waiting = { task, transfer, resolve, reject };
    const leave = () => this.#leave(waiting, signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(waiting);
    this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** End all threads; tasks not done fail as stopped. The pool can be used again. */
  async close(): Promise<void> {
    const left = this.#queue.splice(0);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    for (const { reject } of left) reject(this.#stopped());
  }

  #leave(waiting: Waiting<Task, Output>, reason: Error): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.reject(reason);
  }

  #next(): void {
    const lane = this.#lanes.find(({ busy }) => !busy);
    const waiting = lane && this.#queue.shift();
    if (waiting) lane.take(waiting);
  }
}
