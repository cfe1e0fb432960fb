/** One parsing thread and the task it is at: started when first needed, ended when it overstays, started anew for the next task. */
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { Answer, Limits, ParsedPage, ParsedSitemap, Task } from './protocol.ts';

/** Bounds of one thread: seconds for a task, MiB of its heap, and those the thread keeps itself. */
export type LaneOptions = Limits & { timeout: number; memory: number };

/** A task with those who wait for it. */
export type Waiting = {
  task: Task;
  transfer: ArrayBuffer[];
  resolve: (value: ParsedPage | ParsedSitemap) => void;
  reject: (error: Error) => void;
};

/** Not the source's fault: an ordinary error, so that a job tries again. */
export const stopped = () => Object.assign(new Error('The parsing thread was stopped'), { code: 'PARSE_STOPPED' });

/** Seconds a thread may take to start; loading its code is no fault of the page. */
const START_TIMEOUT = 30;

/** A thread that takes tasks one after the other; `onFree` is called when it could take the next. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #onFree: () => void;
  #thread: Worker | undefined;
  #ready = false;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Begin a task; the process stays alive for it, and only for it. */
  take(waiting: Waiting): void {
    this.#current = waiting;
    this.#thread ??= this.#start();
    this.#thread.ref();
    if (this.#ready) this.#send();
    else this.#limit(START_TIMEOUT);
  }

  /** End the thread; a task it is at fails with `PARSE_STOPPED`. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#drop(stopped());
    await thread?.terminate();
  }

  #start(): Worker {
    const { timeout: _, memory, ...limits } = this.#options;
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: limits,
      // Flags meant for the process's own entry, such as how to read standard input, would stop the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: Math.max(1, Math.ceil(memory / 8)) },
    });
    const ifCurrent = (act: () => void) => () => {
      if (this.#thread === thread) act();
    };
    thread.on('message', (answer: Answer) => ifCurrent(() => this.#hear(answer))());
    thread.on('error', (error: Error) => ifCurrent(() => this.#drop(this.#explain(error)))());
    thread.on(
      'exit',
      ifCurrent(() => this.#drop(new Error('The parsing thread ended by itself'))),
    );
    return thread;
  }

  #send(): void {
    if (!this.#current) return;
    this.#limit(this.#options.timeout);
    this.#thread?.postMessage(this.#current.task, this.#current.transfer);
  }

  #hear(answer: Answer): void {
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

  #limit(seconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#thread?.terminate();
      this.#drop(
        new AppError(
          422,
          'PARSE_TIMEOUT',
          `Reading the source took more than ${seconds} s; link a smaller or simpler page.`,
        ),
      );
    }, seconds * 1000);
  }

  /** Forget a thread that is lost; the next task starts another. */
  #drop(reason: Error): void {
    this.#thread = undefined;
    this.#ready = false;
    this.#end(({ reject }) => reject(reason));
  }

  #end(settle: (waiting: Waiting) => void): void {
    clearTimeout(this.#timer);
    const waiting = this.#current;
    this.#current = undefined;
    if (waiting) settle(waiting);
    this.#onFree();
  }

  #explain(error: Error & { code?: string }): Error {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return new AppError(
      422,
      'PARSE_MEMORY',
      `Reading the source took more than ${this.#options.memory} MiB; link a smaller or simpler page.`,
    );
  }
}
