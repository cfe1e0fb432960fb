/** Listeners that handle whole batches of events, and events that make their batch fail. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { countPending } from '#shared/domain/events/listeners.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import type { BatchHandler, RunnableListener } from '../../workers/listeners/handle-event.ts';
import { retryEvents } from '../../workers/listeners/retry-events.ts';
import { times } from '../support/fleet-fixture.ts';
import {
  aListener,
  appendEvents,
  countDeferred,
  deadLettersOf,
  passTime,
  removeTestEvents,
  TEST_PROJECT,
} from '../support/test-listeners.ts';

/**
 * A batch listener that fails, without an effect, for batches that contain an event for one of `records`, until
 * `recover` is called.
 */
const aBatchListener = async (records: string[], error = new Error('cannot be handled')) => {
  const bad = new Set(records);
  const handled: string[] = [];
  let calls = 0;
  const handle: BatchHandler = async ({ events }) => {
    calls += 1;
    if (events.some(({ record }) => bad.has(record))) throw error;
    handled.push(...events.map(({ record }) => record));
  };
  const listener = await aListener({ isBatch: true, handle: handle as unknown as RunnableListener['handle'] });
  return { listener, handled, calls: () => calls, recover: () => bad.clear() };
};

describe('Batch listeners', () => {
  after(() => removeTestEvents());

  it('a batch listener handles the events of a batch with one call, in the order of the log', async () => {
    const { listener, handled, calls } = await aBatchListener([]);
    const records = times(40, (index) => `record ${index}`);
    await appendEvents(records);
    await consumeEvents(listener);
    expect([calls(), handled]).to.deep.equal([1, records]);
  });

  it('an event that makes its batch fail is isolated, and the other events are handled once', async () => {
    const { listener, handled, calls } = await aBatchListener(['record 5', 'record 23']);
    const records = times(40, (index) => `record ${index}`);
    await appendEvents(records);
    await consumeEvents(listener);
    expect(handled).to.deep.equal(records.filter((record) => !['record 5', 'record 23'].includes(record)));
    expect(calls(), 'calls to isolate two of 40 events').to.be.at.most(25);
    expect([await countPending(listener), await countDeferred(listener)]).to.deep.equal([0, 2]);
    await appendEvents(['later']);
    await consumeEvents(listener);
    expect(handled.at(-1)).to.equal('later');
  });

  it('an isolated event is handled by a later attempt, or becomes a dead letter after the last attempt', async () => {
    const failing = await aBatchListener(['bad']);
    const recovering = await aBatchListener(['bad']);
    await appendEvents(['bad', 'good']);
    for (const { listener } of [failing, recovering]) await consumeEvents(listener);
    recovering.recover();
    for (let attempts = 1; attempts < failing.listener.attempts; attempts += 1)
      for (const { listener } of [failing, recovering]) {
        expect(await deadLettersOf(listener)).to.deep.equal([]);
        await passTime(listener, 3600);
        await retryEvents(listener, TEST_PROJECT);
      }
    expect(recovering.handled).to.deep.equal(['good', 'bad']);
    expect(await deadLettersOf(failing.listener)).to.deep.equal([{ code: 'RETRIES_EXHAUSTED', record: 'bad' }]);
    expect(await countDeferred(failing.listener)).to.equal(0);
  });

  it('while a database is unavailable, the whole batch waits', async () => {
    const { listener, handled, calls, recover } = await aBatchListener(['a'], new mongo.MongoNetworkError('away'));
    await appendEvents(['a', 'b']);
    const failure = await consumeEvents(listener).catch(({ message }: Error) => message);
    expect([failure, calls(), await countDeferred(listener)]).to.deep.equal(['away', 1, 0]);
    recover();
    await consumeEvents(listener);
    expect(handled).to.deep.equal(['a', 'b']);
  });
});
