/** Records the results of attempts. Disables a subscription whose receiver is gone or has failed for too long. */
import { config } from '../../config.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isTransientStatus } from '../outgoing-calls/post-signed.ts';
import { type AttemptResult, isSuccess } from './attempts.ts';
import { type Circuit, type CircuitKey, recordFailure, recordRejection, recordSuccess } from './circuit.ts';
import { wakeSubscription } from './delivery-queue.ts';
import { disable, FAILING_ADVICE } from './disable-subscription.ts';
import { giveUpAll } from './open-deliveries.ts';

const GONE = 410;

/** The effect of an attempt on its subscription. */
export interface RecordedResult {
  /** Whether the receiver accepted the event, the attempt failed, or the subscription was disabled. */
  outcome: 'accepted' | 'failed' | 'disabled';
  circuit: Circuit;
  /** Why the receiver did not accept the event; empty if it did. */
  reason: string;
}

/** Whether the first failure or rejection since the last success was too long ago. */
const isTooLongAgo = (failingSince: Date): boolean =>
  failingSince.getTime() < currentTimeMs() - config.WEBHOOK_DISABLE_AFTER_SECONDS * 1000;

/** Returns the reason for disabling a subscription whose receiver has accepted nothing for too long. */
const failingReason = (failingSince: Date, reason: string): string =>
  `The receiver has accepted no event since ${failingSince.toISOString()}; the last attempt: ${reason}`;

/** Disables a subscription and gives up its open deliveries. Only the subscription's record contains the advice. */
const disableAndGiveUp = async (
  key: CircuitKey,
  circuit: Circuit,
  { reason, advice = '' }: { reason: string; advice?: string },
): Promise<RecordedResult> => {
  await disable(key.id_project, key.subscription, reason + advice);
  await giveUpAll(key, reason);
  return { outcome: 'disabled', circuit, reason };
};

/** Returns why the receiver did not accept the event; empty if it did. */
export const reasonOf = (result: AttemptResult): string =>
  isSuccess(result) ? '' : (result.err ?? `The receiver returned ${result.status}`);

const updateCircuit = (key: CircuitKey, before: Circuit, result: AttemptResult): Promise<Circuit> => {
  if (isSuccess(result)) return recordSuccess(key, before);
  const isRejection = result.status !== undefined && !isTransientStatus(result.status);
  return isRejection ? recordRejection(key, before) : recordFailure(key);
};

/**
 * Records the result of an attempt. `before` is the state of the circuit before the attempt. If the result closes the
 * circuit, the waiting deliveries are woken up. The status 410 disables the subscription. Any other failure or
 * rejection disables it if the first one since the last success was more than WEBHOOK_DISABLE_AFTER_SECONDS ago.
 */
export const recordResult = async (
  key: CircuitKey,
  before: Circuit,
  result: AttemptResult,
): Promise<RecordedResult> => {
  const reason = reasonOf(result);
  if (result.status === GONE) return disableAndGiveUp(key, before, { reason: 'The receiver returned 410' });
  const circuit = await updateCircuit(key, before, result);
  const { failingSince } = circuit;
  if (reason && failingSince && isTooLongAgo(failingSince))
    return disableAndGiveUp(key, circuit, { reason: failingReason(failingSince, reason), advice: FAILING_ADVICE });
  if (before.retryAt && !circuit.retryAt) await wakeSubscription(key);
  return { outcome: reason ? 'failed' : 'accepted', circuit, reason };
};
