/**
 * Circuit breaking: after some failed attempts in a row, nothing is delivered to a subscription except one delivery
 * from time to time, until one succeeds. The deliveries that wait keep their order.
 */
import { WebhookCircuit } from '../../models/webhook-circuit.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { backoffMs } from '../../time/backoff.ts';

const FAILURES_UNTIL_OPEN = 3;
const PROBE_DELAYS = { baseMs: 10_000, maxMs: 600_000 };
/** A probe without a result within this time, such as that of a killed worker, is repeated. */
const PROBE_TIMEOUT_MS = 60_000;

/** Identifies the circuit of a subscription. */
export interface CircuitKey {
  id_project: string;
  subscription: string;
}

/** The state of a circuit. `isTrusted`: the last attempt succeeded. */
export interface Circuit {
  isTrusted: boolean;
  failures: number;
  failingSince?: Date | null;
  retryAt?: Date | null;
}

const circuitFilter = ({ id_project, subscription }: CircuitKey) => ({ _id: subscription, id_project });

/** Reads the state of a circuit. */
export const readCircuit = async (key: CircuitKey): Promise<Circuit> => {
  const fields = { failures: 1, failingSince: 1, retryAt: 1 } as const;
  const found = await WebhookCircuit.findOne(circuitFilter(key), fields).lean();
  return { isTrusted: found?.failures === 0, failures: 0, ...found };
};

const openDeliveries = ({ id_project, subscription }: CircuitKey) => ({ id_project, subscription });

/** Postpones the deliveries that are not in progress. */
export const postponeDeliveries = async (key: CircuitKey, dueAt: Date): Promise<void> => {
  const idle = { ...openDeliveries(key), dueAt: { $lt: dueAt }, holder: { $exists: false } };
  await WebhookDelivery.updateMany(idle, { $set: { dueAt } });
};

/** Whether the caller may make the probe that is due; false for all but one of several workers. */
export const claimProbe = async (key: CircuitKey): Promise<boolean> => {
  const due = { ...circuitFilter(key), retryAt: { $lte: new Date() } };
  const claim = { $set: { retryAt: new Date(Date.now() + PROBE_TIMEOUT_MS) } };
  return (await WebhookCircuit.updateOne(due, claim)).matchedCount === 1;
};

/** Makes the next probe due now. */
export const allowProbe = async (key: CircuitKey): Promise<void> => {
  const open = { ...circuitFilter(key), retryAt: { $exists: true } };
  await WebhookCircuit.updateOne(open, { $set: { retryAt: new Date() } });
};

/**
 * Records a success. It closes an open circuit and makes all waiting deliveries due. Returns whether the circuit was
 * open.
 */
export const recordSuccess = async (key: CircuitKey, before: Circuit): Promise<boolean> => {
  if (before.isTrusted) return false;
  const closed = { $set: { failures: 0 }, $unset: { failingSince: 1, retryAt: 1 } } as const;
  await WebhookCircuit.updateOne(circuitFilter(key), closed, { upsert: true });
  if (!before.retryAt) return false;
  const idle = { ...openDeliveries(key), dueAt: { $gt: new Date() }, holder: { $exists: false } };
  await WebhookDelivery.updateMany(idle, { $set: { dueAt: new Date() } });
  return true;
};

/** Records a failure of the receiver, and opens the circuit after several. Returns the new state. */
export const recordFailure = async (key: CircuitKey): Promise<Circuit> => {
  const now = new Date();
  const counted = await WebhookCircuit.findOneAndUpdate(
    circuitFilter(key),
    [
      {
        $set: {
          failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
          failingSince: { $ifNull: ['$failingSince', now] },
        },
      },
    ],
    { upsert: true, returnDocument: 'after', updatePipeline: true, setDefaultsOnInsert: false },
  )
    .orFail()
    .lean();
  if (counted.failures < FAILURES_UNTIL_OPEN) return { isTrusted: false, ...counted };
  const retryAt = new Date(now.getTime() + backoffMs(counted.failures - FAILURES_UNTIL_OPEN + 1, PROBE_DELAYS));
  await WebhookCircuit.updateOne(circuitFilter(key), { $set: { retryAt } });
  await postponeDeliveries(key, retryAt);
  return { isTrusted: false, ...counted, retryAt };
};

/** Closes a circuit without a success, because an admin has enabled the subscription. */
export const resetCircuit = async (key: CircuitKey): Promise<void> => {
  await WebhookCircuit.deleteOne(circuitFilter(key));
};
