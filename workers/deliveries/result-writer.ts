/**
 * Records the results of deliveries in batches: first the log of attempts, then the accepted deliveries. While MongoDB
 * elects another primary, the results wait, so that the deliveries are not repeated.
 */
import { retryWhileUnavailable } from '#shared/database/retry-while-unavailable.ts';
import { type AttemptEntry, logAttempts } from '#shared/domain/webhooks/attempts.ts';
import { type DueDelivery, finishDeliveries } from '#shared/domain/webhooks/delivery-queue.ts';

/**
 * How long a result may wait to be recorded together with others. Deliveries whose results are lost in a crash are
 * repeated.
 */
const MAX_WAIT_MS = 50;

/** Records results. `onRecorded` is called with the deliveries whose acceptance is stored. */
export class ResultWriter {
  readonly #onRecorded: (deliveries: DueDelivery[]) => void;
  #attempts: AttemptEntry[] = [];
  #accepted: DueDelivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(onRecorded: (deliveries: DueDelivery[]) => void) {
    this.#onRecorded = onRecorded;
  }

  /** Adds an attempt to the next write, which also completes the delivery `accepted` if there is one. */
  add(attempt: AttemptEntry, accepted?: DueDelivery): void {
    this.#attempts.push(attempt);
    if (accepted) this.#accepted.push(accepted);
    this.#timer ??= setTimeout(() => this.flush().catch(() => undefined), MAX_WAIT_MS);
  }

  /** Writes all results so far. Rejects if this write or an earlier one has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    const [attempts, accepted] = [this.#attempts, this.#accepted];
    [this.#attempts, this.#accepted] = [[], []];
    await retryWhileUnavailable(() => logAttempts(attempts));
    await retryWhileUnavailable(() => finishDeliveries(accepted));
    this.#onRecorded(accepted);
  }
}
