/** The subscriptions whose events are delivered to a receiver, with their circuits. */
import { readSubscriptions, type StoredSubscription } from '#shared/domain/webhooks/active-subscription.ts';
import { type Circuit, readCircuits } from '#shared/domain/webhooks/circuit.ts';

/** A subscription is read again after this time, so that changes to it take effect. */
const MAX_AGE_MS = 1000;
/** Maximum number of concurrent deliveries to a subscription whose last attempt failed, or that has had no attempt. */
const SLOTS_OF_UNRESPONSIVE = 1;

/** A subscription, the state of its circuit, and its deliveries in progress. */
export interface Target {
  id: string;
  subscription: StoredSubscription;
  circuit: Circuit;
  readAt: number;
  running: number;
  /** Whether the delivery in progress is a probe: the only delivery that is made while the circuit is open. */
  isProbing: boolean;
}

/** Whether another delivery to a subscription may start. */
export const hasCapacity = ({ circuit, running }: Target): boolean =>
  circuit.isResponsive || running < SLOTS_OF_UNRESPONSIVE;

/** The enabled subscriptions of a project, as last read. */
export class Targets {
  readonly #project: string;
  readonly #targets = new Map<string, Target>();

  constructor(id_project: string) {
    this.#project = id_project;
  }

  /** Returns a subscription that was read; undefined if it does not exist or is disabled. */
  get(id: string): Target | undefined {
    return this.#targets.get(id);
  }

  /** Forgets a subscription, so that it is read again before its next delivery. */
  forget(id: string): void {
    this.#targets.delete(id);
  }

  /** The ids of the subscriptions that are being probed. Their other deliveries wait. */
  get probedIds(): string[] {
    return [...this.#targets.values()].filter(({ isProbing }) => isProbing).map(({ id }) => id);
  }

  /** Reads the given subscriptions, except those that were read less than MAX_AGE_MS ago. */
  async read(ids: string[]): Promise<void> {
    const oldest = performance.now() - MAX_AGE_MS;
    const old = [...new Set(ids)].filter((id) => (this.#targets.get(id)?.readAt ?? 0) < oldest);
    if (!old.length) return;
    const [found, circuits] = await Promise.all([
      readSubscriptions(this.#project, old),
      readCircuits(this.#project, old),
    ]);
    const subscriptions = new Map(found.map((subscription) => [String(subscription._id), subscription]));
    for (const id of old) this.#store(id, subscriptions.get(id), circuits.get(id) as Circuit);
  }

  /** Stores a subscription. While it has deliveries in progress, their results determine the state of its circuit. */
  #store(id: string, subscription: StoredSubscription | undefined, circuit: Circuit): void {
    const known = this.#targets.get(id);
    const readAt = performance.now();
    if (!subscription) this.#targets.delete(id);
    else if (known) Object.assign(known, { subscription, readAt, ...(!known.running && { circuit }) });
    else this.#targets.set(id, { id, subscription, circuit, readAt, running: 0, isProbing: false });
  }
}
