/**
 * A pump makes the due deliveries of a project to one receiver: the deliveries of a sequence (of a conversation or a
 * record) to a subscription one after another, all others concurrently. The deliveries of a sequence that it has read
 * are a *chain*. It reads deliveries and records results in batches.
 */
import { claimProbe, postponeDeliveries } from '#shared/domain/webhooks/circuit.ts';
import {
  type DueDelivery,
  enqueueReceiver,
  findBlockers,
  findDue,
  holdBack,
  sequenceKey,
} from '#shared/domain/webhooks/delivery-queue.ts';
import { type LoadedDelivery, loadEvents } from '#shared/domain/webhooks/delivery-request.ts';
import { giveUpAll } from '#shared/domain/webhooks/open-deliveries.ts';
import type { ReceiverKey } from '#shared/domain/webhooks/receiver-lease.ts';
import { currentTime, currentTimeMs } from '#shared/time/clock.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type Chain, Chains } from './chains.ts';
import { ResultWriter } from './result-writer.ts';
import { hasCapacity, type Target, Targets } from './targets.ts';

/** Maximum number of concurrent deliveries of a project to a receiver. */
export const SLOTS_PER_RECEIVER = 16;
const DELIVERIES_PER_READ = 50;
/** While this many deliveries wait, no more are read. */
const MAX_QUEUED = 500;
/** The interval at which new deliveries are read while others are in progress. It doubles each time none is found. */
const POLL_MS = { min: 100, max: 1000 };
/**
 * A pump ends only when no delivery is in progress. While one takes longer than this, the pump makes others even after
 * its time slice, so that they do not wait for the slow one.
 */
const SLOW_MS = 1000;
const MIN_POSTPONEMENT_MS = 1000;

/** When a pump ends: at the end of its time slice, or when `isStopped` returns true. */
interface PumpLimits {
  end: number;
  isStopped: () => boolean;
}

export class ReceiverPump {
  readonly #key: ReceiverKey;
  readonly #limits: PumpLimits;
  readonly #targets: Targets;
  readonly #writer = new ResultWriter((recorded) => this.#forget(recorded));
  /** Ids of the deliveries that were read and whose results are not stored yet. */
  readonly #known = new Set<string>();
  readonly #chains = new Chains();
  /** Sequences with a delivery that has failed since the last read began. */
  readonly #failedSequences = new Set<string>();
  #running = 0;
  #isReading = false;
  #isMoreDue = true;
  #poll = { at: 0, ms: POLL_MS.min };
  #notify = (): void => undefined;
  #error: Error | undefined;

  constructor(key: ReceiverKey, limits: PumpLimits) {
    this.#key = key;
    this.#limits = limits;
    this.#targets = new Targets(key.id_project);
  }

  /** Makes deliveries until none is due or the pump must end. Returns whether more may be due. */
  async run(): Promise<boolean> {
    do await this.#advance();
    while (this.#isBusy || (this.#mayStart && (this.#isMoreDue || this.#chains.size)));
    await this.#writer.flush();
    if (this.#error) throw this.#error;
    return this.#isMoreDue || this.#chains.size > 0;
  }

  get #isBusy(): boolean {
    return this.#running > 0 || this.#isReading;
  }

  async #advance(): Promise<void> {
    if (this.#mayStart) this.#startAll();
    if (this.#mayStart && this.#mustRead) void this.#startReading();
    if (this.#isBusy) await this.#nextChange();
  }

  get #mayStart(): boolean {
    const { end, isStopped } = this.#limits;
    if (this.#error || isStopped()) return false;
    const now = performance.now();
    return now < end || now - this.#chains.earliestStart(now) > SLOW_MS;
  }

  /** While all slots are used, deliveries are read ahead only if more are known to be due, and few chains wait. */
  get #mustRead(): boolean {
    if (this.#isReading || this.#chains.queued >= MAX_QUEUED) return false;
    if (this.#running < SLOTS_PER_RECEIVER) return this.#isMoreDue || performance.now() >= this.#poll.at;
    return this.#isMoreDue && this.#chains.waiting.length < SLOTS_PER_RECEIVER;
  }

  /** Waits until a delivery or a read ends, or until new deliveries must be read. */
  #nextChange(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#poll.ms);
    this.#notify = resolve;
    return promise.finally(() => clearTimeout(timer));
  }

  /** Reads deliveries while others are being made. */
  async #startReading(): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read();
    } catch (error) {
      this.#error ??= error as Error;
    }
    this.#isReading = false;
    this.#notify();
  }

  async #read(): Promise<void> {
    this.#failedSequences.clear();
    const ids = [...this.#known];
    const exclusions = { ids, subscriptions: this.#targets.probedIds, sequences: this.#chains.longSequences };
    this.#isMoreDue = false; // an accepted probe may set it during the read
    const due = await findDue(this.#key, exclusions, DELIVERIES_PER_READ);
    this.#isMoreDue ||= due.length === DELIVERIES_PER_READ;
    this.#poll.ms = due.length ? POLL_MS.min : Math.min(2 * this.#poll.ms, POLL_MS.max);
    this.#poll.at = performance.now() + this.#poll.ms;
    if (!due.length) return;
    const [blockers, loaded] = await Promise.all([
      findBlockers(due, ids),
      loadEvents(due),
      this.#targets.read(due.map(({ subscription }) => subscription)),
    ]);
    for (const [id, own] of Map.groupBy(loaded, ({ subscription }) => subscription))
      await this.#addOfTarget(id, own, blockers);
  }

  async #addOfTarget(id: string, due: LoadedDelivery[], blockers: Map<string, DueDelivery>): Promise<void> {
    const target = this.#targets.get(id);
    if (!target) return this.#giveUp(id);
    if (target.circuit.retryAt) return this.#probe(target, due[0] as LoadedDelivery, blockers);
    const sequences = [...Map.groupBy(due, sequenceKey)];
    await Promise.all(sequences.map(([key, own]) => this.#addInOrder(own, blockers.get(key))));
  }

  /**
   * Adds due deliveries of one sequence. Deliveries after the blocker, an earlier open delivery, are held back; if the
   * blocker is due as well, it is added.
   */
  async #addInOrder(due: LoadedDelivery[], blocker?: DueDelivery): Promise<void> {
    const isFree = ({ position }: DueDelivery): boolean => !blocker || position < blocker.position;
    const held = due.filter((each) => !isFree(each));
    const isBlockerDue = blocker && blocker.dueAt <= currentTime();
    if (blocker && held.length && !isBlockerDue) await holdBack(held, blocker);
    this.#add([...due.filter(isFree), ...(await loadEvents(isBlockerDue && held.length ? [blocker] : []))]);
  }

  #add(deliveries: LoadedDelivery[]): void {
    for (const delivery of deliveries) {
      if (this.#failedSequences.has(sequenceKey(delivery))) continue;
      this.#chains.add(delivery);
      this.#known.add(delivery._id);
    }
  }

  /** For an open circuit: adds one delivery as the probe if a probe is due, otherwise postpones all deliveries. */
  async #probe(target: Target, due: LoadedDelivery, blockers: Map<string, DueDelivery>): Promise<void> {
    const key = { id_project: due.id_project, subscription: target.id };
    if (target.running === 0 && (await claimProbe(key))) {
      const blocker = blockers.get(sequenceKey(due));
      target.isProbing = true;
      return this.#add(blocker && blocker.position < due.position ? await loadEvents([blocker]) : [due]);
    }
    const retryAt = Math.max(target.circuit.retryAt?.getTime() ?? 0, currentTimeMs() + MIN_POSTPONEMENT_MS);
    await postponeDeliveries(key, new Date(retryAt));
    await enqueueReceiver(this.#key, retryAt - currentTimeMs());
  }

  async #giveUp(subscription: string): Promise<void> {
    const key = { id_project: this.#key.id_project, subscription };
    await giveUpAll(key, 'The subscription was deleted or disabled');
    this.#drop((chain) => chain.subscription === subscription);
  }

  #startAll(): void {
    for (const chain of this.#chains.waiting) {
      if (this.#running >= SLOTS_PER_RECEIVER) return;
      const target = this.#targets.get(chain.subscription);
      if (!target || hasCapacity(target)) void this.#start(chain, target);
    }
  }

  /** Makes the next delivery of a chain. The chain then waits behind the other chains. */
  async #start(chain: Chain, target?: Target): Promise<void> {
    const delivery = chain.queue.shift() as LoadedDelivery;
    chain.startedAt = performance.now();
    this.#running += 1;
    if (target) target.running += 1;
    try {
      await this.#make(delivery);
    } catch (error) {
      this.#error ??= error as Error;
    }
    if (target) target.running -= 1;
    this.#running -= 1;
    this.#chains.end(chain);
    this.#notify();
  }

  async #make(delivery: LoadedDelivery): Promise<void> {
    await this.#targets.read([delivery.subscription]);
    const target = this.#targets.get(delivery.subscription);
    if (!target) {
      await this.#giveUp(delivery.subscription);
      return this.#forget([delivery]);
    }
    const wasOpen = target.circuit.retryAt != null;
    const outcome = await attemptDelivery(delivery, { target, writer: this.#writer });
    target.isProbing = false;
    if (outcome === 'accepted') this.#isMoreDue ||= wasOpen;
    else this.#afterFailure(delivery, target, outcome === 'disabled');
  }

  /** Drops the chain of a failed delivery, or all chains of a subscription that is disabled or has an open circuit. */
  #afterFailure(delivery: DueDelivery, { circuit, id }: Target, isDisabled: boolean): void {
    if (isDisabled) this.#targets.forget(id);
    this.#failedSequences.add(sequenceKey(delivery));
    const isAll = isDisabled || circuit.retryAt != null;
    this.#drop(({ sequence, subscription }) => subscription === id && (isAll || sequence === delivery.sequence));
    this.#forget([delivery]);
  }

  #drop(isDropped: (chain: Chain) => boolean): void {
    this.#forget(this.#chains.drop(isDropped));
  }

  #forget(deliveries: DueDelivery[]): void {
    for (const { _id } of deliveries) this.#known.delete(_id);
  }
}
