/** One thread for work on untrusted input and the task it is at: started when first needed, ended when it overstays, started anew for the next task. */
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { Answer } from './serve.ts';

/** What a thread runs, and its bounds. */
export interface LaneOptions {
  /** The file that runs in the thread; it calls `serve`. */
  file: URL;
  /** Given to the thread at its start. */
  data?: unknown;
  /** Seconds of work for a task. */
  timeout: number;
  /** By the clock a task may take this many times its limit: how busy the machine is with other things is no fault of the task. */
  patience?: number;
  /** MiB of its heap. */
  memory: number;
  /** Errors of a task that is ended by force. */
  errors: { timeout(seconds: number): Error; memory(mib: number): Error; stopped(): Error };
}

/** A task with those who wait for it. */
export type Waiting<Task, Output> = {
  task: Task;
  transfer: ArrayBuffer[];
  resolve: (value: Output) => void;
  reject: (error: Error) => void;
};

/** Seconds a thread may take to start; loading its code is no fault of the task. */
const START_TIMEOUT = 30;

const PATIENCE = 10;
/** Seconds until a task is looked at again, at least. */
const LEAST_WAIT = 0.05;

/** Seconds a thread has worked so far; one that is gone has used up all it may. */
const workOf = (thread: Worker): Promise<number> =>
  thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1e6,
    () => Number.POSITIVE_INFINITY,
  );

/** A thread that takes tasks one after the other; `onFree` is called when it could take the next. */
export class Lane<Task, Output> {
  readonly #options: LaneOptions;
  readonly #onFree: () => void;
  #thread: Worker | undefined;
  #ready = false;
  #current: Waiting<Task, Output> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Begin a task; the process stays alive for it, and only for it. */
  take(waiting: Waiting<Task, Output>): void {
    this.#current = waiting;
    this.#thread ??= this.#start();
    this.#thread.ref();
    if (this.#ready) this.#send();
    else this.#after(START_TIMEOUT, () => void this.#giveUp(START_TIMEOUT));
  }

  /** End the thread; a task it is at fails as stopped. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#drop(this.#options.errors.stopped());
    await thread?.terminate();
  }

  #start(): Worker {
    const { file, data, memory } = this.#options;
    const thread = new Worker(file, {
      workerData: data,
      // Flags meant for the process's own entry, such as how to read standard input, would stop the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: Math.max(1, Math.ceil(memory / 8)) },
    });
    const ifCurrent = (act: () => void) => () => {
      if (this.#thread === thread) act();
    };
    thread.on('message', (answer: Answer<Output>) => ifCurrent(() => this.#hear(answer))());
    thread.on('error', (error: Error) => ifCurrent(() => this.#drop(this.#explain(error)))());
    thread.on(
      'exit',
      ifCurrent(() => this.#drop(new Error('The thread ended by itself'))),
    );
    return thread;
  }

  #send(): void {
    const [thread, waiting] = [this.#thread, this.#current];
    if (!thread || !waiting) return;
    this.#limit(thread, waiting);
    thread.postMessage(waiting.task, waiting.transfer);
  }

  /** Gives up once the thread has worked too long at the task, however long it had to wait for its turns. */
  #limit(thread: Worker, waiting: Waiting<Task, Output>): void {
    const { timeout, patience = PATIENCE } = this.#options;
    const latest = Date.now() + timeout * patience * 1000;
    const before = workOf(thread);
    const check = async () => {
      const left = timeout - ((await workOf(thread)) - (await before));
      if (this.#current !== waiting) return;
      if (left > 0 && Date.now() < latest) this.#after(Math.max(left, LEAST_WAIT), check);
      else await this.#giveUp(timeout);
    };
    this.#after(timeout, check);
  }

  #hear(answer: Answer<Output>): void {
    if (answer.type === 'ready') {
      this.#ready = true;
      this.#send();
    } else {
      this.#thread?.unref();
      this.#end(({ resolve, reject }) => {
        if (answer.type === 'done') resolve(answer.value);
        else reject(new AppError(422, answer.code, answer.message));
      });
    }
  }

  #after(seconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, seconds * 1000);
  }

  /** Fails the task at once; the next has to wait until the thread is gone, or two would hold their memory. */
  async #giveUp(seconds: number): Promise<void> {
    const [thread, waiting] = [this.#thread, this.#current];
    const error = this.#options.errors.timeout(seconds);
    this.#thread = undefined; // what it still says is of no interest
    waiting?.reject(error);
    await thread?.terminate();
    if (this.#current === waiting) this.#drop(error);
  }

  /** Forget a thread that is lost; the next task starts another. */
  #drop(reason: Error): void {
    this.#thread = undefined;
    this.#ready = false;
    this.#end(({ reject }) => reject(reason));
  }

  #end(settle: (waiting: Waiting<Task, Output>) => void): void {
    clearTimeout(this.#timer);
    const waiting = this.#current;
    this.#current = undefined;
    if (waiting) settle(waiting);
    this.#onFree();
  }

  #explain(error: Error & { code?: string }): Error {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return this.#options.errors.memory(this.#options.memory);
  }
}
