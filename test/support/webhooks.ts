/** Subscriptions of a project and the receivers of their webhooks. */
import { initCursors } from '#shared/domain/events/listeners.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { findOverdue } from '#shared/domain/webhooks/delivery-queue.ts';
import deliverJob from '../../workers/webhooks/deliver.ts';
import { aBotServer } from './bots.ts';
import { runJobsOnEvents } from './run-jobs.ts';

/** A server that records the webhooks it receives, and its subscription to an event of the project. */
export const aReceiver = async (id_project: string, event = 'message.create') => {
  await initCursors();
  const server = await aBotServer();
  const [subscription] = await Subscription.create([{ id_project, event, target: server.url, createdBy: 'test' }]);
  const id = String(subscription?._id);
  const { secret } = await Subscription.findOne({ _id: id, id_project }, '+secret').orFail();
  return { ...server, id, secret };
};

/** Delivers the webhooks that are due for the events of the project so far. Returns the number of jobs run. */
export const deliverWebhooks = (id_project: string): Promise<number> => runJobsOnEvents(id_project);

/** Makes all open deliveries of the project, and the probes of open circuits, due now. */
export const makeDeliveriesDue = async (id_project: string): Promise<void> => {
  const now = new Date();
  await WebhookCircuit.updateMany({ id_project, retryAt: { $exists: true } }, { $set: { retryAt: now } });
  await WebhookDelivery.updateMany({ id_project, dueAt: { $exists: true } }, { $set: { dueAt: now } });
};

/** Makes the next attempt at each open delivery of the project immediately, instead of when it is due. */
export const retryWebhooks = async (id_project: string): Promise<void> => {
  await makeDeliveriesDue(id_project);
  for (const sequence of await findOverdue())
    if (sequence.id_project === id_project) await deliverJob(sequence, new AbortController().signal);
};

/** The number of open deliveries of the project. */
export const countOpen = (id_project: string): Promise<number> =>
  WebhookDelivery.countDocuments({ id_project, dueAt: { $exists: true } }).exec();
