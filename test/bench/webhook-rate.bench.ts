/**
 * Compares the rate of webhooks, from the changes log to their receiver, with that of a bare loop that reads and posts
 * changes.
 */
import { once } from 'node:events';
import { findListener, initCursors, wakeListener } from '#shared/domain/events/listeners.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { appendWithoutNotice } from '../support/append-changes.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Order } from './parts/bare-followers.ts';
import { aBatch, aProjectWithBatch, CHANGE_COUNT, perSecond } from './parts/change-batches.ts';
import { expectGoal } from './parts/goals.ts';
import { runInterleaved } from './parts/interleaved-rounds.ts';
import { startServer } from './parts/server-process.ts';
import { redisPid } from './parts/usage.ts';
import { usageMeter } from './parts/usage-meter.ts';

const ROUND_COUNT = 5;
const CONVERSATION_COUNT = 100;
const MAX_SECONDS = 60;

/** A worker without sweeps, a receiver, and a process with the bare loop. */
const startProcesses = async () => {
  const settings = { SWEEP_INTERVAL_SECONDS: '3600' };
  const [worker, receiver, bare] = await Promise.all([
    startServer('../../workers/main.ts', settings, ['--queues', 'events,webhooks']),
    startServer('./parts/counting-receiver.ts'),
    startServer('./parts/bare-followers.ts'),
  ]);
  return { worker, receiver, bare };
};

describe('Benchmark of the rate of webhooks', function () {
  this.timeout(240_000);

  it('webhooks are delivered at no less than 60% of the rate of a bare loop that reads and posts changes', async () => {
    const [{ project }, { ids }] = await Promise.all([aProject(), aProjectWithBatch()]);
    await initCursors();
    const { worker, receiver, bare } = await startProcesses();
    const target = `${receiver.url}/hook`;
    const subscription = { id_project: project.id, event: 'message.create', target, createdBy: 'bench' };
    await Subscription.create([subscription]);
    const rate = async (start: () => unknown): Promise<number> => {
      receiver.child.send(CHANGE_COUNT);
      const received = once(receiver.child, 'message');
      const started = performance.now();
      await Promise.all([start(), received]);
      return perSecond(CHANGE_COUNT, performance.now() - started);
    };
    const redis = await redisPid();
    const [our, plain] = [usageMeter({ worker: worker.pid, redis }), usageMeter({ bare: bare.pid, redis })];
    const isOpen = { id_project: project.id, dueAt: { $exists: true } };
    const deliver = async (): Promise<number> => {
      await appendWithoutNotice(project.id, aBatch(project.id, CONVERSATION_COUNT));
      return our.measure(async () => {
        const measured = await rate(() => wakeListener(findListener('events.record-deliveries')));
        await waitUntil(async () => !(await WebhookDelivery.exists(isOpen)), MAX_SECONDS);
        return measured;
      });
    };
    const post = () => plain.measure(() => rate(() => bare.child.send({ post: target, changes: ids } satisfies Order)));
    const { ours, bare: bareRate, ratio } = await runInterleaved(ROUND_COUNT, deliver, post);
    for (const [name, meter] of Object.entries({ ours: our, bare: plain }))
      console.log(`      ${name}: per webhook ${meter.describe(CHANGE_COUNT * (ROUND_COUNT + 1))}`);
    for (const { stop } of [worker, receiver, bare]) stop();
    const rates = { ours: `${ours.toFixed(0)} /s`, reference: `${bareRate.toFixed(0)} /s` };
    expectGoal({ what: 'Webhooks, from change to post', ...rates, value: ratio, goal: { atLeast: 0.6 } });
  });
});
