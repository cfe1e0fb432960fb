/**
 * What both embedders share: callers ask for vectors, a few batches run at once, each batch is filled in turn by
 * project. A caller who leaves takes the waiting texts along; a batch nobody waits for any more is cut.
 */
import type { EmbedOptions } from './contract.ts';
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

interface Pending extends Ask {
  vectors: Float32Array[];
  missing: number;
  /** Tells the caller, once. */
  settle(error?: unknown): void;
}

type Batch = { turns: Turn<Pending>[]; controller: AbortController };

const byAsk = (turns: Turn<Pending>[]) => [...Map.groupBy(turns, ({ ask }) => ask).values()];

/** The waiting room in front of an engine. */
export class Pump {
  #engine: Engine;
  #turns = new Turns<Pending>();
  #batches = new Set<Batch>();
  /** Those somebody still waits for. */
  #asks = new Set<Pending>();
  #scheduled = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Vectors of the texts, in their order; rejects with the signal's reason as soon as the caller leaves. */
  async embed(texts: string[], { project, priority = false, signal }: EmbedOptions): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const vectors: Float32Array[] = [];
    const settle = (error?: unknown) => (error === undefined ? resolve(vectors) : reject(error));
    const ask = { project, priority, texts, taken: 0, vectors, missing: texts.length, settle };
    const leave = () => this.#end(ask, signal?.reason);
    signal?.addEventListener('abort', leave);
    this.#asks.add(ask);
    this.#turns.add(ask);
    this.#schedule();
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Reject everything that waits or runs. */
  close(reason: unknown) {
    for (const ask of this.#asks) this.#end(ask, reason);
  }

  #end(ask: Pending, error?: unknown) {
    if (!this.#asks.delete(ask)) return;
    if (ask.taken < ask.texts.length) this.#turns.remove(ask);
    for (const { turns, controller } of this.#batches) if (!this.#wanted(turns)) controller.abort();
    ask.settle(error);
  }

  #wanted(turns: Turn<Pending>[]) {
    return turns.some(({ ask }) => this.#asks.has(ask));
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
      this.#deliver(turns, vectors);
    } catch (error) {
      const groups = byAsk(turns);
      if (groups.length > 1 && this.#engine.oneIsBad?.(error)) await this.#apart(groups, signal);
      else for (const { ask } of turns) this.#end(ask, error);
    }
  }

  #deliver(turns: Turn<Pending>[], vectors: Float32Array[]) {
    for (const [place, vector] of vectors.entries()) {
      const turn = turns[place];
      if (!turn) continue;
      turn.ask.vectors[turn.index] = vector;
      turn.ask.missing -= 1;
      if (turn.ask.missing === 0) this.#end(turn.ask);
    }
  }

  async #apart(groups: Turn<Pending>[][], signal: AbortSignal) {
    for (const turns of groups) if (this.#wanted(turns)) await this.#run(turns, signal);
  }
}
