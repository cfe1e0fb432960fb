/** The enabled subscriptions, to which events are delivered, with their secrets. */
import { readMany } from '../../database/raw-read.ts';
import { INSTANCE } from '../../models/change.ts';
import { Subscription, SubscriptionView } from '../../models/subscription.ts';
import { signToken } from '../../security/tokens.ts';
import { currentTime } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import type { CircuitKey } from './circuit.ts';

/** Lifetime of the token of a delivery. Deliveries to a subscription within about a second carry the same token. */
const TOKEN_TTL_SECONDS = 15 * 60;
const SUBSCRIPTION_FIELDS = { ...projectionOf(SubscriptionView), secret: 1, previous_secret: 1 } as const;

/** A subscription with its secrets. */
export type StoredSubscription = Awaited<ReturnType<typeof readSubscriptions>>[number];

/**
 * Reads the subscriptions of a project with these ids, with their secrets. Omits missing and disabled subscriptions.
 */
export const readSubscriptions = (id_project: string, ids: string[]) =>
  readMany(
    Subscription,
    { id_project, _id: { $in: ids.filter(isId) }, enabled: { $ne: false } },
    { fields: SUBSCRIPTION_FIELDS },
  );

/** Reads a subscription with its secrets; null if it does not exist or is disabled. */
export const readSubscription = async ({ id_project, subscription }: CircuitKey) =>
  (await readSubscriptions(id_project, [subscription]))[0] ?? null;

/** Returns the secrets that sign deliveries: the current one and, during a rotation, the previous one. */
export const secretsOf = ({ secret, previous_secret, previous_secret_expires_at }: StoredSubscription): string[] => {
  const isInOverlap = previous_secret && previous_secret_expires_at && previous_secret_expires_at > currentTime();
  return isInOverlap ? [secret, previous_secret] : [secret];
};

/** Returns the subscription in the form that is sent to its target, as `hook` in the body. */
export const hookOf = (subscription: StoredSubscription) => {
  const { secret: _, previous_secret: __, ...hook } = subscription;
  return hook;
};

/** Returns whether a subscription is global: it receives the events of all projects. */
export const isGlobal = ({ id_project }: { id_project: string }): boolean => id_project === INSTANCE;

/** Signs the token that a receiver uses to call the API on behalf of the subscription. */
export const tokenOf = ({ _id, id_project, event, target, secret }: StoredSubscription): string => {
  const id = String(_id);
  const options = {
    sub: 'subscription',
    ttlSeconds: TOKEN_TTL_SECONDS,
    signer: { kind: 'subscriptions', id } as const,
    secret: secret,
  };
  return signToken({ _id: id, id_project, event, target }, options);
};
