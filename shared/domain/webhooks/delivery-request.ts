/** Builds the request of a delivery: its body, headers and signatures. */
import { config } from '../../config.ts';
import { Change } from '../../models/change.ts';
import { signedHeaders } from '../../security/sign-webhook.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { hookOf, isGlobal, secretsOf, type StoredSubscription, tokenOf } from './active-subscription.ts';
import type { DueDelivery } from './delivery-queue.ts';
import { deliveredPayload } from './payloads.ts';

/** Deployed receivers rely on this value. */
const USER_AGENT = 'tiledesk-webhooks';

/** An event in the changes log. */
interface LoggedEvent {
  id_project: string;
  payload?: object;
  /** The actor of the call that emitted the event. `trace` is the span of the call, as in a `traceparent` header. */
  actor?: { trace?: string };
}

/** A delivery with its event, unless the event has expired. */
export interface LoadedDelivery extends DueDelivery {
  loggedEvent?: LoggedEvent;
}

/** Reads, with one query, the events of deliveries that all belong to one project, or all to global subscriptions. */
export const loadEvents = async (deliveries: DueDelivery[]): Promise<LoadedDelivery[]> => {
  const [first] = deliveries;
  if (!first) return [];
  const { id_project } = first;
  const filter = {
    ...(!isGlobal(first) && { id_project }),
    _id: { $in: [...new Set(deliveries.map(({ event_id }) => event_id))] },
  };
  const found = await Change.find(
    filter,
    { id_project: 1, payload: 1, 'actor.trace': 1 },
    { anyProject: isGlobal(first) },
  ).lean<(LoggedEvent & { _id: string })[]>();
  const events = new Map(found.map(({ _id, ...event }) => [_id, event]));
  return deliveries.map((delivery) => ({ ...delivery, loggedEvent: events.get(delivery.event_id) }));
};

/** An HTTP request that delivers an event. */
export interface DeliveryRequest {
  url: string;
  json: string;
  headers: Record<string, string>;
  /** The body without its token, for the log. */
  loggedJson: string;
}

/** The parts of a body that are the same for all requests of a subscription, as JSON. */
interface CommonParts {
  hook: string;
  /**
   * The field `token` with the brace that ends the body. Empty for a global subscription, which receives no token: a
   * token is valid in one project only.
   */
  token: string;
}

/** Per record of a subscription. Workers read the record again every second, so a token is used for about a second. */
const commonParts = new WeakMap<StoredSubscription, CommonParts>();

const commonPartsOf = (subscription: StoredSubscription): CommonParts => {
  const known = commonParts.get(subscription);
  if (known) return known;
  const token = isGlobal(subscription) ? '' : JSON.stringify({ token: tokenOf(subscription) }).slice(1);
  const parts = { hook: JSON.stringify(hookOf(subscription)), token };
  commonParts.set(subscription, parts);
  return parts;
};

/** Builds and signs the request that posts a payload to the target of a subscription. */
export const signedRequest = (
  subscription: StoredSubscription,
  { id, id_project, payload }: { id: string; id_project: string; payload: object },
): DeliveryRequest => {
  const { hook, token } = commonPartsOf(subscription);
  const loggedJson = `{"timestamp":${currentTimeMs()},"payload":${JSON.stringify(payload)},"hook":${hook}}`;
  const lastField = token || JSON.stringify({ id_project }).slice(1); // not logged
  const json = `${loggedJson.slice(0, -1)},${lastField}`;
  const headers = {
    ...signedHeaders({ id, body: json, secrets: secretsOf(subscription) }),
    'user-agent': USER_AGENT,
    ...(config.PUBLIC_URL && { origin: new URL(config.PUBLIC_URL).origin }),
    ...(compatibility.sendsWebhookSecret && { 'x-hook-secret': subscription.secret }),
  };
  return { url: subscription.target, json, headers, loggedJson };
};

/** Builds the request of a delivery; null if the event has expired from the changes log. */
export const buildRequest = async (
  { _id: id, id_project: owner, event, test_payload: test, loggedEvent }: LoadedDelivery,
  subscription: StoredSubscription,
): Promise<DeliveryRequest | null> => {
  if (test) return signedRequest(subscription, { id, id_project: owner, payload: test });
  if (!loggedEvent?.payload) return null;
  const { id_project } = loggedEvent;
  const payload = await deliveredPayload({ id_project, event }, subscription.event, loggedEvent.payload);
  return signedRequest(subscription, { id, id_project, payload });
};
