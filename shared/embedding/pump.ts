/**
 * What both embedders share: callers ask for vectors, a few batches run at once, each batch is filled in turn by
 * project. A caller who leaves takes the waiting texts along; a batch nobody waits for any more is cut.
 */
import { type Ask, type TakeLimits, type Turn, Turns } from './turns.ts';
import { counted } from './usage.ts';

/** Vectors of a batch in the order of its texts, and the tokens they cost. */
export interface Embedded {
  vectors: Float32Array[];
  tokens: number;
}

/** How an embedder turns one batch of texts into vectors. */
export interface Engine {
  run(texts: string[], signal: AbortSignal): Promise<Embedded>;
  /** The size of one batch, and how many run at once. */
  limits: TakeLimits & { atOnce: number };
  /** True for an error that one bad text may cause: then each caller's texts are tried alone. */
  oneIsBad?(error: unknown): boolean;
}

/** Whose texts they are, whether a person waits for the answer, and when the caller has left. */
export interface EmbedOptions {
  project: string;
  priority?: boolean;
  signal?: AbortSignal;
}

interface Pending extends Ask {
  vectors: Float32Array[];
  missing: number;
  over: boolean;
  settle(error?: unknown): void;
}

type Batch = { turns: Turn<Pending>[]; controller: AbortController };

const deliver = (turns: Turn<Pending>[], vectors: Float32Array[]) =>
  turns.forEach(({ ask, index }, place) => {
    const vector = vectors[place];
    if (vector === undefined || ask.over) return;
    ask.vectors[index] = vector;
    ask.missing -= 1;
    if (ask.missing === 0) ask.settle();
  });

const byAsk = (turns: Turn<Pending>[]) => [...Map.groupBy(turns, ({ ask }) => ask).values()];

/** The waiting room in front of an engine. */
export class Pump {
  #engine: Engine;
  #turns = new Turns<Pending>();
  #batches = new Set<Batch>();
  #asks = new Set<Pending>();
  #scheduled = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Vectors of the texts, in their order; rejects with the signal's reason as soon as the caller leaves. */
  embed(texts: string[], { project, priority = false, signal }: EmbedOptions): Promise<Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([]);
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const leave = () => ask.settle(signal?.reason);
    const settle = (error?: unknown) => {
      if (ask.over) return;
      ask.over = true;
      signal?.removeEventListener('abort', leave);
      this.#forget(ask);
      if (error === undefined) resolve(ask.vectors);
      else reject(error);
    };
    const ask: Pending = {
      project,
      priority,
      texts,
      taken: 0,
      vectors: [],
      missing: texts.length,
      over: false,
      settle,
    };
    if (signal?.aborted) return Promise.reject(signal.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#asks.add(ask);
    this.#turns.add(ask);
    this.#schedule();
    return promise;
  }

  /** Reject everything that waits or runs. */
  close(reason: unknown) {
    for (const ask of [...this.#asks]) ask.settle(reason);
  }

  #forget(ask: Pending) {
    this.#asks.delete(ask);
    if (ask.taken < ask.texts.length) this.#turns.remove(ask);
    for (const { turns, controller } of this.#batches) if (turns.every((turn) => turn.ask.over)) controller.abort();
  }

  /** Waits for the end of the tick, so that callers of one moment share a batch. */
  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#fill();
    });
  }

  #fill() {
    while (this.#batches.size < this.#engine.limits.atOnce) {
      const turns = this.#turns.take(this.#engine.limits);
      if (turns.length === 0) return;
      void this.#work({ turns, controller: new AbortController() });
    }
  }

  async #work(batch: Batch) {
    this.#batches.add(batch);
    await this.#run(batch.turns, batch.controller.signal);
    this.#batches.delete(batch);
    this.#fill();
  }

  async #run(turns: Turn<Pending>[], signal: AbortSignal): Promise<void> {
    try {
      const texts = turns.map(({ ask, index }) => ask.texts[index] ?? '');
      const { vectors, tokens } = await this.#engine.run(texts, signal);
      counted(texts.length, tokens);
      deliver(turns, vectors);
    } catch (error) {
      const groups = byAsk(turns);
      if (groups.length > 1 && this.#engine.oneIsBad?.(error)) await this.#apart(groups, signal);
      else for (const { ask } of turns) ask.settle(error);
    }
  }

  async #apart(groups: Turn<Pending>[][], signal: AbortSignal) {
    for (const turns of groups) if (!turns[0]?.ask.over) await this.#run(turns, signal);
  }
}
