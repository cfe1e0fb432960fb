/**
 * Batches the calls to an embedder. A batch takes texts from the projects in turn, and a limited number of batches run
 * concurrently. When a caller aborts, its waiting texts are dropped. A batch is aborted when all its callers have
 * aborted.
 */
import { type BatchLimits, type EmbedRequest, FairQueue, type QueuedText } from './fair-queue.ts';
import type { EmbedOptions } from './types.ts';
import { countEmbeddingCall } from './usage.ts';

/** The vectors of a batch in the order of its texts, and the number of tokens that were embedded. */
export interface EmbeddedBatch {
  vectors: Float32Array[];
  tokens: number;
}

/** A model that embeds one batch of texts per call. */
export interface EmbeddingEngine {
  run(texts: string[], signal: AbortSignal): Promise<EmbeddedBatch>;
  /** Maximum size of a batch, and maximum number of batches that run concurrently. */
  limits: BatchLimits & { concurrency: number };
  /** Whether a single text may have caused the error; the texts of each caller are then retried separately. */
  mayBeCausedByOneText?(error: unknown): boolean;
}

interface PendingRequest extends EmbedRequest {
  vectors: Float32Array[];
  missingCount: number;
  /** Rejects the caller's promise with the error, or resolves it with the vectors if there is no error. */
  settle(error?: unknown): void;
}

type Batch = { entries: QueuedText<PendingRequest>[]; controller: AbortController };

const groupByRequest = (entries: QueuedText<PendingRequest>[]) => [
  ...Map.groupBy(entries, ({ request }) => request).values(),
];

/** The queue in front of an embedding engine. */
export class Batcher {
  #engine: EmbeddingEngine;
  #queue = new FairQueue<PendingRequest>();
  #batches = new Set<Batch>();
  /** The requests whose callers are still waiting. */
  #requests = new Set<PendingRequest>();
  #scheduled = false;

  constructor(engine: EmbeddingEngine) {
    this.#engine = engine;
  }

  /** Returns the vectors of the texts in order; rejects with the signal's reason when it aborts. */
  async embed(texts: string[], { project, priority = false, signal }: EmbedOptions): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const vectors: Float32Array[] = [];
    const settle = (error?: unknown) => (error === undefined ? resolve(vectors) : reject(error));
    const request = { project, priority, texts, takenCount: 0, vectors, missingCount: texts.length, settle };
    const cancel = () => this.#finish(request, signal?.reason);
    signal?.addEventListener('abort', cancel);
    this.#requests.add(request);
    this.#queue.add(request);
    this.#schedule();
    return promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Rejects all waiting and running requests with `reason`. */
  close(reason: unknown) {
    for (const request of this.#requests) this.#finish(request, reason);
  }

  #finish(request: PendingRequest, error?: unknown) {
    if (!this.#requests.delete(request)) return;
    if (request.takenCount < request.texts.length) this.#queue.remove(request);
    for (const { entries, controller } of this.#batches) if (!this.#isWanted(entries)) controller.abort();
    request.settle(error);
  }

  #isWanted(entries: QueuedText<PendingRequest>[]) {
    return entries.some(({ request }) => this.#requests.has(request));
  }

  /** Starts batches at the end of the tick, so that calls of the same tick share a batch. */
  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#startBatches();
    });
  }

  #startBatches() {
    while (this.#batches.size < this.#engine.limits.concurrency) {
      const entries = this.#queue.take(this.#engine.limits);
      if (entries.length === 0) return;
      void this.#runBatch({ entries, controller: new AbortController() });
    }
  }

  async #runBatch(batch: Batch) {
    this.#batches.add(batch);
    await this.#embedEntries(batch.entries, batch.controller.signal);
    this.#batches.delete(batch);
    this.#startBatches();
  }

  async #embedEntries(entries: QueuedText<PendingRequest>[], signal: AbortSignal): Promise<void> {
    try {
      const texts = entries.map(({ request, index }) => request.texts[index] ?? '');
      const { vectors, tokens } = await this.#engine.run(texts, signal);
      countEmbeddingCall(texts.length, tokens);
      this.#assignVectors(entries, vectors);
    } catch (error) {
      const groups = groupByRequest(entries);
      if (groups.length > 1 && this.#engine.mayBeCausedByOneText?.(error)) await this.#embedSeparately(groups, signal);
      else for (const { request } of entries) this.#finish(request, error);
    }
  }

  #assignVectors(entries: QueuedText<PendingRequest>[], vectors: Float32Array[]) {
    for (const [position, vector] of vectors.entries()) {
      const entry = entries[position];
      if (!entry) continue;
      entry.request.vectors[entry.index] = vector;
      entry.request.missingCount -= 1;
      if (entry.request.missingCount === 0) this.#finish(entry.request);
    }
  }

  async #embedSeparately(groups: QueuedText<PendingRequest>[][], signal: AbortSignal) {
    for (const entries of groups) if (this.#isWanted(entries)) await this.#embedEntries(entries, signal);
  }
}
