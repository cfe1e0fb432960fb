/** Trials of webhooks to many receivers, and of webhooks while the worker is killed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from './api.ts';
import { times } from './fleet-fixture.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aProject } from './people.ts';
import { waitUntil } from './wait-until.ts';
import { accept, aWebhookReceiver, type ReceiverAnswer } from './webhook-receivers.ts';

/** How receivers answer. */
export const ANSWERS = {
  accept,
  fail: (response) => void response.writeHead(500).end(),
  hang: () => undefined,
} satisfies Record<string, ReceiverAnswer>;
const { fail, hang } = ANSWERS;

/** A receiver of a project's `message.create` events. It stores the id, text, conversation and time of each. */
export const aWebhook = (id_project: string, answer: ReceiverAnswer) =>
  aWebhookReceiver(id_project, { event: 'message.create', answer }, ({ id, payload: { text = '', request } }) => ({
    ...{ id, text, conversation: request?.request_id ?? '', at: performance.now() },
  }));

interface ReceiverTrial {
  healthy: number;
  hanging: number;
  failing: number;
  messages: number;
}

/**
 * The maximum number of calls to a receiver that hangs or fails: those before its circuit opens, and the probes during
 * the test.
 */
const MAX_ATTEMPTS_WHILE_FAILING = 8;

/**
 * Expects that receivers that hang or fail are called only a few times, and that all other receivers receive every
 * message, in order. Needs a running worker.
 */
export const deliverToManyReceivers = async (trial: ReceiverTrial): Promise<void> => {
  const { project, guest } = await aProject();
  const make = (count: number, answer: ReceiverAnswer) =>
    Promise.all(Array.from({ length: count }, () => aWebhook(project.id, answer)));
  const [healthy, hanging, failing] = [
    await make(trial.healthy, accept),
    await make(trial.hanging, hang),
    await make(trial.failing, fail),
  ];
  const texts = times(trial.messages, (n) => `message ${n}`);
  const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
  for (const text of texts) expect((await api(guest).post(path, { text })).status).to.equal(200);
  await waitUntil(() => healthy.every(({ received }) => received.length >= texts.length), 60);
  for (const { received } of healthy) expect(received.map(({ text }) => text)).to.deep.equal(texts);
  for (const { received } of [...hanging, ...failing]) {
    expect(received.length).to.be.within(1, MAX_ATTEMPTS_WHILE_FAILING);
    expect(new Set(received.map(({ text }) => text)), 'later messages wait').to.deep.equal(new Set([texts[0]]));
  }
};

interface KillTrial {
  conversations: number;
  messages: number;
  kills: number;
}

/** Expects that every message arrives at least once, under one id, and in order, although the worker is killed. */
export const deliverWhileWorkerIsKilled = async (
  { killWorker }: KillableWorker,
  { conversations, messages, kills }: KillTrial,
): Promise<void> => {
  const { project, guest } = await aProject();
  const { received } = await aWebhook(project.id, (response) => setTimeout(accept, 20, response));
  const texts = times(messages, (n) => `message ${n}`);
  const total = conversations * messages;
  const posted = Promise.all(
    times(conversations, async (conversation) => {
      const path = `/v3/${project.id}/requests/conversation-${conversation}/messages`;
      for (const text of texts) expect((await api(guest).post(path, { text })).status).to.equal(200);
    }),
  );
  const distinct = () => new Set(received.map(({ id }) => id)).size;
  for (const kill of times(kills, (n) => n + 1)) {
    await waitUntil(() => distinct() >= Math.floor((total * kill) / (kills + 1)), 60);
    await killWorker();
  }
  await posted;
  await waitUntil(() => distinct() === total, 90);
  for (const [conversation, own] of Map.groupBy(received, (each) => each.conversation)) {
    const firstArrivals = [...new Map(own.map(({ id, text }) => [id, text])).values()];
    expect(firstArrivals, conversation).to.deep.equal(texts);
  }
};
