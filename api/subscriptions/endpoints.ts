/** Endpoints for subscriptions: URLs that a project or an instance administrator registers for events. */
import { z } from 'zod';
import * as subscriptions from '#shared/domain/integrations/subscriptions.ts';
import { config } from '#shared/config.ts';
import { SubscriptionView } from '#shared/models/subscription.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { Time } from '#shared/wire/view.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { deliveryEndpoints } from './delivery-endpoints.ts';
import { RotationInput } from './input.ts';
import { SUBSCRIPTION_SCOPES, type SubscriptionScope } from './scopes.ts';

const listEndpoints = ({ basePath, role, adjective, inputs, ownerOf }: SubscriptionScope): Endpoint[] => [
  endpoint({
    method: 'get',
    path: basePath,
    role,
    summary: `List the ${adjective}subscriptions without their secrets`,
    reply: z.array(SubscriptionView),
    handle: (call) => subscriptions.list(ownerOf(call)),
  }),
  endpoint({
    method: 'post',
    path: basePath,
    role,
    summary: `Create a ${adjective}subscription of a URL to an event, and get the secret that signs the deliveries. Repeating the call returns the same subscription`,
    body: inputs.NewSubscription,
    reply: SubscriptionView.extend({ secret: z.string() }),
    secretHeader: 'x-hook-secret',
    handle: ({ body: { event, target }, actor, ...call }) =>
      subscriptions.create(ownerOf(call), { event, target }, actor.id),
  }),
];

const recordEndpoints = ({ basePath, role, adjective, record, inputs, ownerOf }: SubscriptionScope): Endpoint[] => [
  endpoint({
    method: 'get',
    path: `${basePath}/:subscription_id`,
    role,
    summary: `Get a ${adjective}subscription without its secret`,
    reply: SubscriptionView,
    handle: ({ params: { subscription_id }, ...call }) => subscriptions.read(ownerOf(call), subscription_id),
  }),
  endpoint({
    method: 'put',
    path: `${basePath}/:subscription_id`,
    record,
    role,
    summary: `Change the event or the target of a ${adjective}subscription, disable it, or enable it again`,
    body: inputs.SubscriptionChange,
    reply: SubscriptionView,
    errors: { 409: 'Another subscription has this event and target' },
    handle: ({ params: { subscription_id }, body: { event, target, enabled }, ...call }) =>
      subscriptions.update(ownerOf(call), subscription_id, omitNullish({ event, target, enabled })),
  }),
  endpoint({
    method: 'delete',
    path: `${basePath}/:subscription_id`,
    record,
    role,
    summary: `Delete a ${adjective}subscription; its tokens become invalid`,
    reply: SubscriptionView,
    handle: ({ params: { subscription_id }, ...call }) => subscriptions.remove(ownerOf(call), subscription_id),
  }),
  endpoint({
    method: 'put',
    path: `${basePath}/:subscription_id/secret`,
    record,
    role,
    summary: `Replace the secret of a ${adjective}subscription; tokens signed with the previous secret are revoked, and deliveries are signed with both secrets for some time`,
    body: RotationInput,
    reply: z.strictObject({ secret: z.string(), previous_secret_expires_at: Time }),
    handle: ({ params: { subscription_id }, body: { overlap_seconds }, ...call }) =>
      subscriptions.renewSecret(
        ownerOf(call),
        subscription_id,
        overlap_seconds ?? config.WEBHOOK_SECRET_OVERLAP_SECONDS,
      ),
  }),
];

export default SUBSCRIPTION_SCOPES.flatMap((scope) => [
  ...deliveryEndpoints(scope),
  ...listEndpoints(scope),
  ...recordEndpoints(scope),
]);
