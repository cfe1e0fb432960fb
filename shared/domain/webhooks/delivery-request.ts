/** Builds the request of a delivery: its body, headers and signatures. */
import { config } from '../../config.ts';
import { Change } from '../../models/change.ts';
import { signedHeaders } from '../../security/sign-webhook.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { hookOf, secretsOf, type StoredSubscription, tokenOf } from './active-subscription.ts';
import type { DueDelivery } from './delivery-queue.ts';
import { deliveredPayload } from './payloads.ts';

/** Deployed receivers rely on the value. */
const USER_AGENT = 'tiledesk-webhooks';

const readPayload = async (
  { id_project, event, event_id: _id, test_payload }: DueDelivery,
  { event: name }: StoredSubscription,
) => {
  if (test_payload) return test_payload;
  const change = await Change.findOne({ id_project, _id }, { payload: 1 }).lean<{ payload?: object }>();
  return change?.payload ? deliveredPayload({ id_project, event }, name, change.payload) : null;
};

/** An HTTP request that delivers an event. */
export interface DeliveryRequest {
  url: string;
  json: string;
  headers: Record<string, string>;
  /** The body without its token, for the log. */
  loggedJson: string;
}

/** Builds the request of a delivery; null if the event has expired from the changes log. */
export const buildRequest = async (
  delivery: DueDelivery,
  subscription: StoredSubscription,
): Promise<DeliveryRequest | null> => {
  const payload = await readPayload(delivery, subscription);
  if (!payload) return null;
  const body = { timestamp: Date.now(), payload, hook: hookOf(subscription) };
  const json = JSON.stringify({ ...body, token: tokenOf(subscription) });
  const headers = {
    ...signedHeaders({ id: delivery._id, body: json, secrets: secretsOf(subscription) }),
    'user-agent': USER_AGENT,
    ...(config.PUBLIC_URL && { origin: new URL(config.PUBLIC_URL).origin }),
    ...(compatibility.sendsWebhookSecret && { 'x-hook-secret': subscription.secret }),
  };
  return { url: subscription.target, json, headers, loggedJson: JSON.stringify(body) };
};
