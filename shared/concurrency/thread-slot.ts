/**
 * One thread of a pool and its current task. The thread is started for the first task. It is terminated when a task
 * exceeds its limits, and restarted for the next task.
 */
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { ThreadMessage } from './thread-tasks.ts';

/** The code of a thread and the limits of its tasks. */
export interface ThreadOptions {
  /** The file that runs in the thread; it calls `serveTasks`. */
  file: URL;
  /** `workerData` of the thread. */
  data?: unknown;
  /** Limit on the CPU time per task. */
  timeoutSeconds: number;
  /**
   * The wall-clock limit as a multiple of `timeoutSeconds`. It must be large enough that load from other processes does
   * not make tasks fail.
   */
  wallClockFactor?: number;
  /** Time limit for starting the thread (default: 30 s); loading its code does not count against the task. */
  startTimeoutSeconds?: number;
  /** Heap limit of the thread. */
  memoryMib: number;
  /** The errors for aborted tasks. */
  errors: { timeout(seconds: number): Error; memory(mib: number): Error; stopped(): Error };
}

/** A task and the functions that settle its promise. */
export type QueuedTask<Task, Output> = {
  task: Task;
  transfer: ArrayBuffer[];
  resolve: (value: Output) => void;
  reject: (error: Error) => void;
};

const START_TIMEOUT_SECONDS = 30;
const WALL_CLOCK_FACTOR = 10;
/** Minimum time between two checks of a task's CPU time. */
const MIN_CHECK_SECONDS = 0.05;

/** Returns the CPU time that a thread has used so far, in seconds; infinity for a thread that has ended. */
const cpuSeconds = (thread: Worker): Promise<number> =>
  thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1e6,
    () => Number.POSITIVE_INFINITY,
  );

/** Runs one task at a time; calls `onFree` when it can take the next. */
export class ThreadSlot<Task, Output> {
  readonly #options: ThreadOptions;
  readonly #onFree: () => void;
  #thread: Worker | undefined;
  #ready = false;
  #current: QueuedTask<Task, Output> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Starts a task. The thread keeps the process alive only while a task runs. */
  run(queued: QueuedTask<Task, Output>): void {
    this.#current = queued;
    this.#thread ??= this.#start();
    this.#thread.ref();
    if (this.#ready) this.#send();
    else this.#limitStart();
  }

  /** Ends the thread; a running task rejects with the `stopped` error. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#forgetThread(this.#options.errors.stopped());
    await thread?.terminate();
  }

  #start(): Worker {
    const { file, data, memoryMib } = this.#options;
    const thread = new Worker(file, {
      workerData: data,
      // Flags for the entry point of the process, such as --input-type, would make the thread fail.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMib,
        maxYoungGenerationSizeMb: Math.max(1, Math.ceil(memoryMib / 8)),
      },
    });
    const ifCurrent = (act: () => void) => () => {
      if (this.#thread === thread) act();
    };
    thread.on('message', (answer: ThreadMessage<Output>) => ifCurrent(() => this.#handleMessage(answer))());
    thread.on('error', (error: Error) => ifCurrent(() => this.#forgetThread(this.#toTaskError(error)))());
    thread.on(
      'exit',
      ifCurrent(() => this.#forgetThread(new Error('The thread exited unexpectedly'))),
    );
    return thread;
  }

  /**
   * Aborts the task if the thread does not start in time. The error is not an `AppError`: the task did not cause the
   * failure, so it can be run again.
   */
  #limitStart(): void {
    const { startTimeoutSeconds = START_TIMEOUT_SECONDS } = this.#options;
    const error = new Error(`The thread did not start within ${startTimeoutSeconds} s`);
    this.#setTimer(startTimeoutSeconds, () => void this.#abort(error));
  }

  #send(): void {
    const [thread, queued] = [this.#thread, this.#current];
    if (!thread || !queued) return;
    this.#enforceLimits(thread, queued);
    thread.postMessage(queued.task, queued.transfer);
  }

  /**
   * Aborts the task when its CPU time exceeds the limit. Time spent waiting for the CPU does not count, but the
   * wall-clock limit applies.
   */
  #enforceLimits(thread: Worker, queued: QueuedTask<Task, Output>): void {
    const { timeoutSeconds, wallClockFactor = WALL_CLOCK_FACTOR } = this.#options;
    const deadline = performance.now() + timeoutSeconds * wallClockFactor * 1000;
    const initialCpuSeconds = cpuSeconds(thread);
    const check = async () => {
      const remainingSeconds = timeoutSeconds - ((await cpuSeconds(thread)) - (await initialCpuSeconds));
      if (this.#current !== queued) return;
      if (remainingSeconds > 0 && performance.now() < deadline)
        this.#setTimer(Math.max(remainingSeconds, MIN_CHECK_SECONDS), check);
      else await this.#abort(this.#options.errors.timeout(timeoutSeconds));
    };
    this.#setTimer(timeoutSeconds, check);
  }

  #handleMessage(answer: ThreadMessage<Output>): void {
    if (answer.type === 'ready') {
      this.#ready = true;
      this.#send();
    } else {
      this.#thread?.unref();
      this.#finish(({ resolve, reject }) => {
        if (answer.type === 'done') resolve(answer.value);
        else reject(new AppError(422, answer.code, answer.message));
      });
    }
  }

  #setTimer(seconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, seconds * 1000);
  }

  /**
   * Rejects the task immediately. The slot becomes free only when the thread has ended, so that a slot never has two
   * threads, which together could exceed its memory limit.
   */
  async #abort(error: Error): Promise<void> {
    const [thread, queued] = [this.#thread, this.#current];
    this.#thread = undefined; // its later messages are ignored
    queued?.reject(error);
    await thread?.terminate();
    if (this.#current === queued) this.#forgetThread(error);
  }

  /** Drops the thread, which has ended or is being ended; the next task starts a new one. */
  #forgetThread(reason: Error): void {
    this.#thread = undefined;
    this.#ready = false;
    this.#finish(({ reject }) => reject(reason));
  }

  #finish(settle: (queued: QueuedTask<Task, Output>) => void): void {
    clearTimeout(this.#timer);
    const queued = this.#current;
    this.#current = undefined;
    if (queued) settle(queued);
    this.#onFree();
  }

  #toTaskError(error: Error & { code?: string }): Error {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return this.#options.errors.memory(this.#options.memoryMib);
  }
}
