/**
 * Circuit breaking: after several failures in a row, a subscription receives only an occasional delivery, the probe,
 * until the receiver accepts or rejects it. A failure is an attempt without a response, or with a redirect or the
 * status 408, 429 or 5xx; any other status that is not 2xx is a rejection. The waiting deliveries keep their order.
 */
import { WebhookCircuit } from '../../models/webhook-circuit.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { backoffMs } from '../../time/backoff.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';

const FAILURES_UNTIL_OPEN = 3;
const PROBE_DELAYS = { baseMs: 10_000, maxMs: 600_000 };
/** A probe that has no result after this time, for example because its worker was killed, is repeated. */
const PROBE_TIMEOUT_MS = 60_000;

/** Identifies the circuit of a subscription. */
export interface CircuitKey {
  id_project: string;
  subscription: string;
}

/** The state of a circuit. */
export interface Circuit {
  /** Whether the receiver accepted or rejected the event of the last attempt. */
  isResponsive: boolean;
  /** Number of failures since the receiver last accepted or rejected an event. */
  failures: number;
  /** The time of the first failure or rejection since the last success. */
  failingSince?: Date | null;
  /** The time at which the next probe is due; set while the circuit is open. */
  retryAt?: Date | null;
}

const circuitFilter = ({ id_project, subscription }: CircuitKey) => ({ _id: subscription, id_project });

/** Returns the circuits of subscriptions of a project, by the id of the subscription. */
export const readCircuits = async (id_project: string, subscriptions: string[]): Promise<Map<string, Circuit>> => {
  const fields = { failures: 1, failingSince: 1, retryAt: 1 } as const;
  const stored = await WebhookCircuit.find({ id_project, _id: { $in: subscriptions } }, fields).lean();
  const found = new Map(stored.map((circuit) => [circuit._id, circuit]));
  return new Map(
    subscriptions.map((_id) => {
      const { failures, failingSince, retryAt } = found.get(_id) ?? {};
      return [_id, { isResponsive: failures === 0, failures: failures ?? 0, failingSince, retryAt }];
    }),
  );
};

/** Postpones the open deliveries of a subscription until `dueAt`. */
export const postponeDeliveries = async ({ id_project, subscription }: CircuitKey, dueAt: Date): Promise<void> => {
  await WebhookDelivery.updateMany({ id_project, subscription, dueAt: { $lt: dueAt } }, { $set: { dueAt } });
};

/** Makes the postponed deliveries of a subscription due immediately. */
const releaseDeliveries = async ({ id_project, subscription }: CircuitKey): Promise<void> => {
  const now = currentTime();
  await WebhookDelivery.updateMany({ id_project, subscription, dueAt: { $gt: now } }, { $set: { dueAt: now } });
};

/** Claims the due probe for the caller. Returns true for only one of several workers. */
export const claimProbe = async (key: CircuitKey): Promise<boolean> => {
  const due = { ...circuitFilter(key), retryAt: { $lte: currentTime() } };
  const claim = { $set: { retryAt: new Date(currentTimeMs() + PROBE_TIMEOUT_MS) } };
  return (await WebhookCircuit.updateOne(due, claim)).matchedCount === 1;
};

/** Records a success, which closes the circuit. Returns the new state. */
export const recordSuccess = async (key: CircuitKey, before: Circuit): Promise<Circuit> => {
  if (before.isResponsive && !before.failingSince) return before;
  const closed = { $set: { failures: 0 }, $unset: { failingSince: 1, retryAt: 1 } } as const;
  await WebhookCircuit.updateOne(circuitFilter(key), closed, { upsert: true });
  if (before.retryAt) await releaseDeliveries(key);
  return { isResponsive: true, failures: 0 };
};

const upsertCircuit = (key: CircuitKey, change: Record<string, unknown>): Promise<Circuit & { failures: number }> =>
  WebhookCircuit.findOneAndUpdate(circuitFilter(key), [{ $set: change }], {
    ...{ upsert: true, returnDocument: 'after', updatePipeline: true, setDefaultsOnInsert: false },
  })
    .orFail()
    .lean<Circuit & { failures: number }>();

/**
 * Records that the receiver rejected an event. This closes the circuit, because the receiver works and may accept other
 * events, but it is not a success. Returns the new state.
 */
export const recordRejection = async (key: CircuitKey, before: Circuit): Promise<Circuit> => {
  if (before.isResponsive && before.failingSince) return before;
  const failingSince = { $ifNull: ['$failingSince', currentTime()] };
  const after = await upsertCircuit(key, { failures: 0, failingSince, retryAt: '$$REMOVE' });
  if (before.retryAt) await releaseDeliveries(key);
  return { failures: 0, failingSince: after.failingSince, isResponsive: true };
};

/** Records a failure of the receiver, and opens the circuit after several failures. Returns the new state. */
export const recordFailure = async (key: CircuitKey): Promise<Circuit> => {
  const now = currentTime();
  const failures = { $add: [{ $ifNull: ['$failures', 0] }, 1] };
  const counted = await upsertCircuit(key, { failures, failingSince: { $ifNull: ['$failingSince', now] } });
  if (counted.failures < FAILURES_UNTIL_OPEN) return { ...counted, isResponsive: false };
  const retryAt = new Date(now.getTime() + backoffMs(counted.failures - FAILURES_UNTIL_OPEN + 1, PROBE_DELAYS));
  await WebhookCircuit.updateOne(circuitFilter(key), { $set: { retryAt } });
  await postponeDeliveries(key, retryAt);
  return { ...counted, isResponsive: false, retryAt };
};

/** Closes a circuit without a success, because an admin has enabled the subscription. */
export const resetCircuit = async (key: CircuitKey): Promise<void> => {
  await WebhookCircuit.deleteOne(circuitFilter(key));
};
