/** The deliveries to a receiver that a pump (receiver-pump.ts) has read but not yet made, by sequence. */
import { sequenceKey } from '#shared/domain/webhooks/delivery-queue.ts';
import type { LoadedDelivery } from '#shared/domain/webhooks/delivery-request.ts';

/** While this many deliveries of a sequence wait, no more of its deliveries are read. */
const MAX_QUEUED_PER_SEQUENCE = 16;

/** The deliveries of a sequence that were read. While one of them is in progress, the others wait in `queue`. */
export interface Chain {
  key: string;
  sequence: string;
  subscription: string;
  queue: LoadedDelivery[];
  /** When the delivery in progress started; absent while none is in progress. */
  startedAt?: number;
}

/** The chains of a pump. New chains, and chains whose delivery has just ended, come last. */
export class Chains {
  readonly #chains = new Map<string, Chain>();

  get size(): number {
    return this.#chains.size;
  }

  /** The number of deliveries that wait. */
  get queued(): number {
    return this.#all.reduce((sum, { queue }) => sum + queue.length, 0);
  }

  /** The chains without a delivery in progress. */
  get waiting(): Chain[] {
    return this.#all.filter(({ startedAt }) => startedAt === undefined);
  }

  /** The sequences of which no more deliveries are read. */
  get longSequences(): string[] {
    return this.#all.flatMap(({ sequence, queue }) => (queue.length >= MAX_QUEUED_PER_SEQUENCE ? [sequence] : []));
  }

  get #all(): Chain[] {
    return [...this.#chains.values()];
  }

  /** Returns when the first of the deliveries in progress started; `now` if none is in progress. */
  earliestStart(now: number): number {
    return this.#all.reduce((earliest, { startedAt = now }) => Math.min(earliest, startedAt), now);
  }

  /** Adds a delivery to the chain of its sequence, in the order of the positions. */
  add(delivery: LoadedDelivery): void {
    const { sequence, subscription } = delivery;
    const key = sequenceKey(delivery);
    const chain = this.#chains.get(key) ?? { key, sequence, subscription, queue: [] };
    chain.queue = [...chain.queue, delivery].toSorted((a, b) => (a.position < b.position ? -1 : 1));
    this.#chains.set(key, chain);
  }

  /** Ends the delivery in progress of a chain. The chain then waits behind the others; one without deliveries ends. */
  end(chain: Chain): void {
    chain.startedAt = undefined;
    this.#chains.delete(chain.key);
    if (chain.queue.length) this.#chains.set(chain.key, chain);
  }

  /** Drops the waiting deliveries of the chains for which `isDropped` returns true, and returns these deliveries. */
  drop(isDropped: (chain: Chain) => boolean): LoadedDelivery[] {
    return this.#all.filter(isDropped).flatMap((chain) => {
      if (chain.startedAt === undefined) this.#chains.delete(chain.key);
      return chain.queue.splice(0);
    });
  }
}
