/**
 * Subscriptions: an event, the URL that is registered for it, and the secret that signs the subscription's tokens.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { notFound } from '../../errors.ts';
import { Subscription, SubscriptionView } from '../../models/subscription.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { revokeTokens } from '../access/sessions.ts';

const SUBSCRIPTION_FIELDS = projectionOf(SubscriptionView);
const SUBSCRIPTION_FIELDS_WITH_SECRET = { ...SUBSCRIPTION_FIELDS, secret: 1 } as const;

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
 * Subscribes a target to an event and returns the subscription with its secret. If the target is already subscribed to
 * the event, returns the existing subscription.
 */
export const create = async (
  id_project: string,
  subscription: { event: string; target: string },
  createdBy: string,
) => {
  try {
    await Subscription.create([{ id_project, ...subscription, createdBy }]);
  } catch (error) {
    if (!isDuplicateKey(error) && !(await Subscription.exists({ id_project, ...subscription }))) throw error;
  }
  return Subscription.findOne({ id_project, ...subscription }, SUBSCRIPTION_FIELDS_WITH_SECRET)
    .orFail(subscriptionNotFound)
    .lean();
};

/**
 * Replaces a subscription's secret and returns the new one. All tokens signed with the former secret become invalid.
 * Errors: 404 for an unknown subscription.
 */
export const renewSecret = (id_project: string, _id: string): Promise<string> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const { matchedCount } = isId(_id)
      ? await Subscription.updateOne({ id_project, _id }, { $set: { secret } }, { session })
      : { matchedCount: 0 };
    if (!matchedCount) throw subscriptionNotFound();
    await revokeTokens(_id, session);
    return secret;
  });
