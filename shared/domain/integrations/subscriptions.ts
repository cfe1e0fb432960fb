/** Subscriptions: each has an event, the URL registered for it, and the secret that signs its deliveries and tokens. */
import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Outbox } from '../../models/outbox.ts';
import { Subscription, SubscriptionView } from '../../models/subscription.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { revokeTokens } from '../access/sessions.ts';
import { resetCircuit } from '../webhooks/circuit.ts';
import { redirectDeliveries } from '../webhooks/open-deliveries.ts';

const SUBSCRIPTION_FIELDS = projectionOf(SubscriptionView);
const SUBSCRIPTION_FIELDS_WITH_SECRET = { ...SUBSCRIPTION_FIELDS, secret: 1 } as const;

/**
 * Runs a change to subscriptions in a transaction, and invalidates the cache of the project's subscriptions to
 * `operator.select`, an event whose subscriber selects the agent of a conversation.
 */
const changeSubscriptions = <T>(id_project: string, change: (session: ClientSession) => Promise<T>): Promise<T> =>
  inTransaction(async (session) => {
    const result = await change(session);
    await recordAccessChange({ subscriptions: id_project }, session);
    return result;
  });

/** Lists the project's subscriptions in the order of creation. */
export const list = (id_project: string) =>
  Subscription.find({ id_project }, SUBSCRIPTION_FIELDS).sort({ _id: 1 }).lean();

const subscriptionNotFound = () => notFound('Subscription not found');

/** Reads a subscription, without its secret. Errors: 404 for an unknown subscription. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw subscriptionNotFound();
  return Subscription.findOne({ id_project, _id }, SUBSCRIPTION_FIELDS).orFail(subscriptionNotFound).lean();
};

/**
 * Subscribes a target (a URL) to an event and returns the subscription with its secret. If the target is already
 * subscribed to the event, returns the existing subscription.
 */
export const create = async (
  id_project: string,
  subscription: { event: string; target: string },
  createdBy: string,
) => {
  try {
    await changeSubscriptions(id_project, (session) =>
      Subscription.create([{ id_project, ...subscription, createdBy }], { session, ...emits('subscription.create') }),
    );
  } catch (error) {
    if (!isDuplicateKey(error) && !(await Subscription.exists({ id_project, ...subscription }))) throw error;
  }
  return Subscription.findOne({ id_project, ...subscription }, SUBSCRIPTION_FIELDS_WITH_SECRET)
    .orFail(subscriptionNotFound)
    .lean();
};

const subscriptionFilter = (id_project: string, _id: string) => {
  if (!isId(_id)) throw subscriptionNotFound();
  return { id_project, _id };
};

/** The fields of a subscription that can be changed. */
interface SubscriptionChange {
  event?: string;
  target?: string;
  enabled?: boolean;
}

/**
 * Updates a subscription and returns it. Its open deliveries go to the new target. Enabling the subscription also
 * closes its circuit (see `webhooks/circuit.ts`), so that its next delivery is attempted immediately. Errors: 404 for
 * an unknown subscription, 409 if another subscription has this event and target.
 */
export const update = async (id_project: string, _id: string, change: SubscriptionChange) => {
  const filter = subscriptionFilter(id_project, _id);
  const cleared = change.enabled ? { $unset: { disabled_reason: 1, disabled_at: 1 } as const } : {};
  const disabled =
    change.enabled === false ? { disabled_reason: 'Disabled by an admin', disabled_at: currentTime() } : {};
  const options = {
    returnDocument: 'after',
    projection: SUBSCRIPTION_FIELDS,
    ...emits('subscription.update'),
  } as const;
  const write = { $set: { ...change, ...disabled }, ...cleared };
  const updated = await changeSubscriptions(id_project, (session) =>
    Subscription.findOneAndUpdate(filter, write, { ...options, session })
      .orFail(subscriptionNotFound)
      .lean(),
  ).catch((error: unknown) => {
    if (isDuplicateKey(error)) throw new AppError(409, 'DUPLICATE', 'The target is already subscribed to this event');
    throw error;
  });
  if (change.target) await redirectDeliveries({ id_project, subscription: _id }, change.target);
  if (change.enabled) await resetCircuit({ id_project, subscription: _id });
  return updated;
};

/** Deletes a subscription and returns it. Its tokens become invalid, and its open deliveries are given up. */
export const remove = (id_project: string, _id: string) =>
  changeSubscriptions(id_project, async (session) => {
    const options = { session, projection: SUBSCRIPTION_FIELDS };
    const removed = await Subscription.findOneAndDelete(subscriptionFilter(id_project, _id), options)
      .orFail(subscriptionNotFound)
      .lean();
    await revokeTokens(_id, session);
    const deletion = { id_project, record: _id, view: removed };
    await Outbox.create([deletion], { session, ...emits('subscription.delete') });
    return removed;
  });

/** A new secret, and the time until which the previous one also signs deliveries. */
interface RenewedSecret {
  secret: string;
  previous_secret_expires_at: Date;
}

/**
 * Replaces a subscription's secret and returns the new one. All tokens signed with the previous secret become invalid;
 * for `overlapSeconds`, deliveries are signed with both secrets. Errors: 404 for an unknown subscription.
 */
export const renewSecret = (id_project: string, _id: string, overlapSeconds: number): Promise<RenewedSecret> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const previous_secret_expires_at = new Date(currentTimeMs() + overlapSeconds * 1000);
    const rotation = [{ $set: { previous_secret: '$secret', secret, previous_secret_expires_at } }];
    const options = { session, updatePipeline: true };
    const { matchedCount } = await Subscription.updateOne(subscriptionFilter(id_project, _id), rotation, options);
    if (!matchedCount) throw subscriptionNotFound();
    await revokeTokens(_id, session);
    return { secret, previous_secret_expires_at };
  });
