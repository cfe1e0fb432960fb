/** Receivers of webhooks, and a comparison of the received webhooks with the changes log. */
import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { inTransaction } from '#shared/database/connection.ts';
import { recordAccessChange } from '#shared/domain/access/access-changes.ts';
import { countPending, findListener } from '#shared/domain/events/listeners.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { readLogHeads } from './changes-log.ts';
import { onSuiteEnd } from './suite-cleanup.ts';
import { listenOnUnusedPort } from './unused-port.ts';
import { waitForCount } from './wait-until.ts';

/** How a receiver answers. */
export type ReceiverAnswer = (response: ServerResponse) => void;

export const accept: ReceiverAnswer = (response) => void response.writeHead(200).end();

/** A webhook as it arrived. */
interface ReceivedWebhook {
  /** The `webhook-id` header. */
  id: string;
  payload: { _id?: string; text?: string; request?: { _id: string; request_id: string } };
}

/** A server with a subscription to an event of the project. It stores what `select` returns for each webhook. */
export const aWebhookReceiver = async <T>(
  id_project: string,
  { event, answer = accept }: { event: string; answer?: ReceiverAnswer },
  select: (webhook: ReceivedWebhook) => T,
) => {
  const received: T[] = [];
  const server = createServer(async (request, response) => {
    const { payload } = JSON.parse(await readText(request));
    received.push(select({ id: String(request.headers['webhook-id']), payload }));
    answer(response);
  });
  const target = `http://127.0.0.1:${await listenOnUnusedPort(server)}/hook`;
  onSuiteEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const subscription = await inTransaction(async (session) => {
    // Workers cache the subscriptions of a project; the access change makes them read the new subscription.
    await recordAccessChange({ subscriptions: id_project }, session);
    return Subscription.create([{ id_project, event, target, createdBy: 'test' }], { session });
  });
  return { event, subscription: String(subscription[0]?._id), received };
};

interface Arrival {
  id: string;
  record: string | undefined;
}

const startReceiver = (id_project: string, event: string) => {
  const distinct = new Set<string>();
  const select = ({ id, payload }: ReceivedWebhook): Arrival => {
    distinct.add(id);
    return { id, record: payload._id ?? payload.request?._id };
  };
  return aWebhookReceiver(id_project, { event }, select).then((receiver) => ({ ...receiver, distinct }));
};

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Counts over all events of a receiver. */
interface Comparison {
  /** Events of the log that did not arrive. */
  lost: number;
  /** Arrivals under an id that belongs to no event, or with the record of another event. */
  wrong: number;
  /** Conversations whose events arrived out of log order; only the first arrival of each event counts. */
  disordered: number;
}

const DELIVERY_FIELDS = { event_id: 1, sequence: 1, position: 1 } as const;

const compare = async (id_project: string, { event, subscription, received }: Receiver) => {
  const log = (await readLogHeads(id_project)).filter((entry) => entry.event === event);
  const recordOf = new Map(log.map(({ _id, record }) => [_id, record]));
  const stored = await WebhookDelivery.find({ id_project, subscription }, DELIVERY_FIELDS).lean();
  const deliveries = new Map(stored.map((delivery) => [delivery._id, delivery]));
  const firstArrivals = [...new Map(received.map(({ id }) => [id, deliveries.get(id)])).values()];
  const arrived = new Set(firstArrivals.map((delivery) => delivery?.event_id));
  const isWrong = ({ id, record }: Arrival): boolean => recordOf.get(deliveries.get(id)?.event_id ?? '') !== record;
  const sequences = Map.groupBy(firstArrivals, (delivery) => delivery?.sequence);
  const isDisordered = (sequence: typeof firstArrivals): boolean => {
    const positions = sequence.map((delivery) => delivery?.position ?? '');
    return positions.join() !== positions.toSorted().join();
  };
  const counts: Comparison = {
    lost: log.filter(({ _id }) => !arrived.has(_id)).length,
    wrong: received.filter(isWrong).length,
    disordered: [...sequences.values()].filter(isDisordered).length,
  };
  return { counts, expected: log.length, sequences: sequences.size };
};

/**
 * Why deliveries are missing: the numbers of recorded, open and due ones, the first open one, the circuit, and the
 * number of events for which no deliveries have been recorded yet.
 */
const describeDeliveries = async (id_project: string, subscription: string): Promise<string> => {
  const own = { id_project, subscription };
  const open = { ...own, dueAt: { $exists: true } };
  const [recorded, openCount, due, first, circuit, pending] = await Promise.all([
    WebhookDelivery.countDocuments(own),
    WebhookDelivery.countDocuments(open),
    WebhookDelivery.countDocuments({ ...own, dueAt: { $lte: new Date() } }),
    WebhookDelivery.findOne(open).sort({ position: 1 }).lean(),
    WebhookCircuit.findOne({ _id: subscription, id_project }).lean(),
    countPending(findListener('events.record-deliveries')),
  ]);
  return JSON.stringify({ recorded, openCount, due, first, circuit, pending, now: new Date() });
};

/** Expects that every event of the log arrived at least once, under one id, and in order per conversation. */
const expectEachInOrder = async (id_project: string, receiver: Receiver): Promise<string> => {
  const { event, received, distinct } = receiver;
  const inLog = (await readLogHeads(id_project)).filter((entry) => entry.event === event).length;
  await waitForCount(() => distinct.size, inLog).catch(() => undefined);
  const { counts, expected, sequences } = await compare(id_project, receiver);
  const state = counts.lost ? await describeDeliveries(id_project, receiver.subscription) : '';
  expect(counts, `${event} ${state}`).to.deep.equal({ lost: 0, wrong: 0, disordered: 0 });
  return `${expected} ${event} events of ${sequences} conversations in ${received.length} webhooks, 0 lost, 0 out of order`;
};

/**
 * Starts a receiver for each of these events. `complete` expects that each receiver received every event of the log at
 * least once, under a stable id and in order per conversation.
 */
export const followByWebhooks = async (id_project: string, events: string[]) => {
  const receivers = await Promise.all(events.map((event) => startReceiver(id_project, event)));
  return {
    complete: async (): Promise<string> => {
      const summaries: string[] = [];
      for (const receiver of receivers) summaries.push(await expectEachInOrder(id_project, receiver));
      return `webhooks: ${summaries.join('; ')}`;
    },
  };
};
