/** Due deliveries of events in the changes log. */
import { newId } from '#shared/context.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { wakeSubscription } from '#shared/domain/webhooks/delivery-queue.ts';
import { Change } from '#shared/models/change.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { aBotServer } from './bots.ts';
import { aProject } from './people.ts';
import { runJobs } from './run-jobs.ts';

/**
 * A subscription whose circuit is closed, and a due delivery for each conversation number, in the given order. `n` in
 * the payload of a delivery is its index in this order. `deliver` makes the deliveries.
 */
export const aBacklog = async (conversations: number[]) => {
  await initCursors();
  const server = await aBotServer();
  const { project } = await aProject();
  const id_project = project.id;
  const event = 'message.create';
  const [created] = await Subscription.create([{ id_project, event, target: server.url, createdBy: 'test' }]);
  const subscription = String(created?._id);
  await WebhookCircuit.create([{ _id: subscription, id_project, failures: 0 }]);
  const receiver = new URL(server.url).host;
  const now = new Date();
  const events = conversations.map((conversation, n) => {
    const id = newId();
    return { id, n, conversation, position: `${String(n).padStart(8, '0')} ${id}` };
  });
  await Change.insertMany(
    events.map(({ id, n, conversation, position }) => ({
      ...{ _id: id, id_project, position, event, record: id, payload: { n, conversation }, createdAt: now },
    })),
  );
  await WebhookDelivery.insertMany(
    events.map(({ id, n, conversation, position }) => ({
      ...{ _id: `${subscription} ${n}`, id_project, subscription, receiver, event },
      ...{ sequence: `s ${conversation}`, event_id: id, position, retryUntil: now },
      dueAt: new Date(now.getTime() - conversations.length + n),
    })),
  );
  const deliver = async (): Promise<void> => {
    await wakeSubscription({ id_project, subscription });
    await runJobs();
  };
  return { ...server, id_project, subscription, receiver, count: conversations.length, deliver };
};
