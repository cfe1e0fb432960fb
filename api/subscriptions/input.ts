/** Inputs of the endpoints for subscriptions. */
import { z } from 'zod';
import { isSubscribable, SYNCHRONOUS_EVENT } from '#shared/domain/webhooks/subscribable-events.ts';
import { isInstanceEvent } from '#shared/events.ts';
import { decimal, flag } from '#shared/wire/coercion.ts';
import { Id } from '#shared/wire/view.ts';
import { optionalInteger } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const MAX_PAGE = 100_000;
const MAX_OVERLAP_SECONDS = 7 * 86_400;

const AnyEvent = z
  .string()
  .max(INPUT_LIMITS.eventName)
  .refine(isSubscribable, 'must be the name of an event that docs/webhooks.md lists')
  .meta({ description: 'Name of the event, for example `message.create`' });
const ProjectEvent = AnyEvent.refine(
  (event) => !isInstanceEvent(event),
  'must be an event of a project; instance administrators subscribe to events of accounts with POST /v3/subscriptions',
);
const GlobalEvent = AnyEvent.refine(
  (event) => event !== SYNCHRONOUS_EVENT,
  'must be an event of the changes log; `operator.select` needs a subscription of a project',
);
const Target = z
  .url({ protocol: /^https?$/ })
  .max(INPUT_LIMITS.kbSource)
  .meta({ description: 'URL to which events are posted' });
const DeliveryId = z.string().max(INPUT_LIMITS.eventName).meta({ description: 'The `webhook-id` of a delivery' });
const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const isGlobal = flag().refine(Boolean, 'must be true here; POST /v3/:project_id/subscriptions is for one project');
const isNotGlobal = flag().refine(
  (isGlobalInput) => !isGlobalInput,
  'must be false here; instance administrators create global subscriptions with POST /v3/subscriptions',
);

const newSubscription = (event: z.ZodString, global: z.ZodType<boolean | undefined>) =>
  z.object({ event, target: Target, global });
const subscriptionChange = (event: z.ZodString, global: z.ZodType<boolean | undefined>) =>
  z.object({
    event: event.optional(),
    target: Target.optional(),
    enabled: flag().optional().meta({ description: '`true` enables a disabled subscription' }),
    global,
  });

/** A new subscription. */
export type NewInput = ReturnType<typeof newSubscription>;

/** Changes to a subscription. */
export type ChangeInput = ReturnType<typeof subscriptionChange>;

/** The inputs of subscriptions to the events of one project. */
export const projectInputs = {
  NewSubscription: newSubscription(ProjectEvent, isNotGlobal.optional()),
  SubscriptionChange: subscriptionChange(ProjectEvent, isNotGlobal.optional()),
};

/** The inputs of subscriptions to the events of all projects and of accounts. */
export const globalInputs = {
  NewSubscription: newSubscription(GlobalEvent, isGlobal),
  SubscriptionChange: subscriptionChange(GlobalEvent, isGlobal.optional()),
};

/** The subscription to test. */
export const TestInput = z.object({ subscription: Id.meta({ description: 'Id of the subscription' }) });

/** The deliveries to repeat; by default all. */
export const ReplayInput = z.object({
  delivery: DeliveryId.optional(),
  after: Moment.optional().meta({ description: 'Only events since this time' }),
  before: Moment.optional().meta({ description: 'Only events before this time' }),
  failed: flag().optional().meta({ description: '`true`: only deliveries that have failed permanently' }),
});

/** The time for which deliveries are also signed with the previous secret. */
export const RotationInput = z.object({
  overlap_seconds: decimal(0, MAX_OVERLAP_SECONDS).optional().meta({
    description: 'Default: `WEBHOOK_SECRET_OVERLAP_SECONDS`; 0: deliveries are signed with the new secret only',
  }),
});

/** Query parameters for the history: the list of the attempts to deliver events. */
export const HistoryQuery = z.object({
  page: optionalInteger(0, MAX_PAGE).meta({ description: 'Page number, starting at 0' }),
  subscription: Id.optional().meta({ description: 'Only attempts to deliver to this subscription' }),
  delivery: DeliveryId.optional(),
});
