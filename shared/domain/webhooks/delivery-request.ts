/** Builds the request of a delivery: its body, headers and signatures. */
import { config } from '../../config.ts';
import { Change } from '../../models/change.ts';
import { signedHeaders } from '../../security/sign-webhook.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { hookOf, isGlobal, secretsOf, type StoredSubscription, tokenOf } from './active-subscription.ts';
import type { DueDelivery } from './delivery-queue.ts';
import { deliveredPayload } from './payloads.ts';

/** Deployed receivers rely on the value. */
const USER_AGENT = 'tiledesk-webhooks';

const CHANGE_FIELDS = { id_project: 1, payload: 1 } as const;

/** Returns the project and the payload of an event; null if the event has expired. */
const readEvent = async (
  { id_project: owner, event, event_id: _id, test_payload: test }: DueDelivery,
  subscription: StoredSubscription,
) => {
  if (test) return { id_project: owner, payload: test };
  const ofAnyProject = isGlobal(subscription);
  const filter = ofAnyProject ? { _id } : { _id, id_project: owner };
  const change = await Change.findOne(filter, CHANGE_FIELDS, { anyProject: ofAnyProject }).lean<{
    id_project: string;
    payload?: object;
  }>();
  if (!change?.payload) return null;
  const { id_project, payload } = change;
  return { id_project, payload: await deliveredPayload({ id_project, event }, subscription.event, payload) };
};

/** An HTTP request that delivers an event. */
export interface DeliveryRequest {
  url: string;
  json: string;
  headers: Record<string, string>;
  /** The body without its token, for the log. */
  loggedJson: string;
}

/** Builds and signs the request that posts a payload to the target of a subscription. */
export const signedRequest = (
  subscription: StoredSubscription,
  { id, id_project, payload }: { id: string; id_project: string; payload: object },
): DeliveryRequest => {
  const body = { timestamp: Date.now(), payload, hook: hookOf(subscription) };
  // A global subscription receives no token, because the token of a program is valid in one project only.
  const json = JSON.stringify({
    ...body,
    ...(isGlobal(subscription) ? { id_project } : { token: tokenOf(subscription) }),
  });
  const headers = {
    ...signedHeaders({ id, body: json, secrets: secretsOf(subscription) }),
    'user-agent': USER_AGENT,
    ...(config.PUBLIC_URL && { origin: new URL(config.PUBLIC_URL).origin }),
    ...(compatibility.sendsWebhookSecret && { 'x-hook-secret': subscription.secret }),
  };
  return { url: subscription.target, json, headers, loggedJson: JSON.stringify(body) };
};

/** Builds the request of a delivery; null if the event has expired from the changes log. */
export const buildRequest = async (
  delivery: DueDelivery,
  subscription: StoredSubscription,
): Promise<DeliveryRequest | null> => {
  const found = await readEvent(delivery, subscription);
  return found && signedRequest(subscription, { id: delivery._id, ...found });
};
