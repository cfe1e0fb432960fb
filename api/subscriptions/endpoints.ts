/** Endpoints for subscriptions: URLs that a project registers for events. */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/integrations/subscriptions.ts';
import { config } from '#shared/config.ts';
import { SubscriptionView } from '#shared/models/subscription.ts';
import { Time } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import deliveryEndpoints from './delivery-endpoints.ts';
import { NewSubscription, RotationInput, SubscriptionInput } from './input.ts';

const BASE_PATH = '/v3/:project_id/subscriptions';
const RECORD_PATH = `${BASE_PATH}/:subscription_id` as const;
const RECORD = { collection: 'subscriptions', parameter: 'subscription_id' };

// These come first, because `/subscriptions/history` also matches the path of a single subscription.
export default [
  ...deliveryEndpoints,
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    summary: 'List the subscriptions without their secrets',
    reply: z.array(SubscriptionView),
    handle: ({ project }) => subscriptions.list(project),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'admin',
    summary: 'Get a subscription without its secret',
    reply: SubscriptionView,
    handle: ({ project, params: { subscription_id } }) => subscriptions.read(project, subscription_id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    summary:
      'Subscribe a URL to an event and get the secret that signs the calls. Repeating the call returns the same subscription',
    body: NewSubscription,
    reply: SubscriptionView.extend({ secret: z.string() }),
    handle: ({ project, body, actor }) => subscriptions.create(project, body, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: RECORD,
    role: 'admin',
    summary: 'Change the event or the target of a subscription, disable it, or enable it again',
    body: SubscriptionInput,
    reply: SubscriptionView,
    errors: { 409: 'Another subscription has this event and target' },
    handle: ({ project, params: { subscription_id }, body: { enabled, ...rest } }) =>
      subscriptions.update(project, subscription_id, { ...rest, ...(enabled != null && { enabled }) }),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: RECORD,
    role: 'admin',
    summary: 'Delete a subscription; its tokens become invalid',
    reply: SubscriptionView,
    handle: ({ project, params: { subscription_id } }) => subscriptions.remove(project, subscription_id),
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/secret`,
    record: RECORD,
    role: 'admin',
    summary:
      'Replace the secret of a subscription; tokens signed with the previous secret are revoked, and deliveries are signed with both for some time',
    body: RotationInput,
    reply: z.strictObject({ secret: z.string(), previous_secret_expires_at: Time }),
    handle: ({ project, params: { subscription_id }, body: { overlap_seconds } }) =>
      subscriptions.renewSecret(project, subscription_id, overlap_seconds ?? config.WEBHOOK_SECRET_OVERLAP_SECONDS),
  }),
];
