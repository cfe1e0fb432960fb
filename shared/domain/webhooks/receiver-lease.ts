/**
 * Leases of receivers. The worker with the lease makes all deliveries of a project to a receiver, so that it can make
 * them in order and record many results with one command.
 */
import { ulid } from 'ulid';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { WebhookReceiver } from '../../models/webhook-receiver.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { WEAK_WRITE } from '../outgoing-calls/call-queue.ts';

/** If a lease is not renewed within this time, another worker may take it. */
const LEASE_MS = 6000;
/** The interval at which a lease is renewed. */
export const LEASE_RENEWAL_MS = LEASE_MS / 3;

/** The deliveries of a project to a receiver, which is a host with a port. */
export interface ReceiverKey {
  id_project: string;
  receiver: string;
}

const idOf = ({ id_project, receiver }: ReceiverKey): string => `${id_project} ${receiver}`;
const newLeaseEnd = (): Date => new Date(currentTimeMs() + LEASE_MS);
const leaseFilter = (key: ReceiverKey, holder: string) => ({ _id: idOf(key), id_project: key.id_project, holder });

/**
 * Takes the lease of a receiver. Returns the id of the new holder or, if another worker holds the lease, the time at
 * which the lease ends.
 */
export const takeLease = async (key: ReceiverKey): Promise<{ holder: string } | { heldUntil: Date }> => {
  const holder = ulid();
  // A released lease has no holder; its end may lie in the future if the clock was set back in the meantime.
  const isHeld = { $and: [{ $gt: ['$leaseEnd', currentTime()] }, { $gt: ['$holder', null] }] };
  const lease = {
    holder: { $cond: [isHeld, '$holder', holder] },
    leaseEnd: { $cond: [isHeld, '$leaseEnd', newLeaseEnd()] },
    receiver: key.receiver,
  };
  const options = { upsert: true, returnDocument: 'after', updatePipeline: true, ...WEAK_WRITE } as const;
  try {
    const filter = { _id: idOf(key), id_project: key.id_project };
    const taken = await WebhookReceiver.findOneAndUpdate(filter, [{ $set: lease }], options)
      .orFail()
      .lean();
    return taken.holder === holder ? { holder } : { heldUntil: taken.leaseEnd };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return { heldUntil: newLeaseEnd() }; // another worker has just taken the first lease of this receiver
  }
};

/** Renews a lease. Returns whether it is still held. */
export const renewLease = async (key: ReceiverKey, holder: string): Promise<boolean> => {
  const renewal = { $set: { leaseEnd: newLeaseEnd() } };
  return (await WebhookReceiver.updateOne(leaseFilter(key, holder), renewal, WEAK_WRITE)).matchedCount === 1;
};

/** Ends a lease. */
export const releaseLease = async (key: ReceiverKey, holder: string): Promise<void> => {
  const release = { $set: { leaseEnd: currentTime() }, $unset: { holder: 1 } } as const;
  await WebhookReceiver.updateOne(leaseFilter(key, holder), release, WEAK_WRITE);
};
