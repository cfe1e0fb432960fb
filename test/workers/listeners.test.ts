import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { countPending, cursorOf, replay } from '#shared/domain/events/listeners.ts';
import { AppError } from '#shared/errors.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import type { RunnableListener } from '../../workers/listeners/handle-event.ts';
import { retryEvents } from '../../workers/listeners/retry-events.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import {
  aListener,
  appendEvents,
  countDeferred,
  deadLettersOf,
  effectEvents,
  handleAll,
  passTime,
  recordEffect,
  removeTestEvents,
  TEST_PROJECT,
} from '../support/test-listeners.ts';

/** A listener that fails for the events of `records` until `recover` is called. */
const aFailingListener = async (records: string[], error = new Error('away')) => {
  const bad = new Set(records);
  const plainListener = await aListener();
  const work: RunnableListener['handle'] = async (ref) => {
    if (bad.has(ref.record)) throw error;
    await recordEffect(plainListener.name, ref);
  };
  return { ...plainListener, handle: work, recover: () => bad.clear() };
};

describe('Event listeners', () => {
  after(() => removeTestEvents());

  it('a new listener handles each later event once, and the events of a record in order', async () => {
    await appendEvents(['a']);
    const listener = await aListener();
    expect(await countPending(listener)).to.equal(0);
    const opened = await appendEvents(times(150, (index) => `record ${index}`));
    const closed = await appendEvents(
      times(150, (index) => `record ${index}`),
      { name: 'test.close' },
    );
    expect(await countPending(listener)).to.equal(300);
    await handleAll(listener);
    const handled = await effectEvents(listener);
    expect(handled.toSorted()).to.deep.equal([...opened, ...closed].toSorted());
    opened.forEach((id, index) => expect(handled.indexOf(id)).to.be.below(handled.indexOf(closed[index] as string)));
    expect(await countPending(listener)).to.equal(0);
  });

  it('a listener handles a batch of events with four commands on its cursor, the log and the deferred events', async () => {
    const listener = await aListener();
    await appendEvents(['a', 'b']);
    const commands = (await commandsDuring(() => consumeEvents(listener))) as { find?: string; update?: string }[];
    const named = commands.map(({ find, update }) => (find ? `find ${find}` : `update ${update}`));
    const ofLoop = named.filter((name) => / (listeners|changes|deferred_events)$/.test(name));
    expect(ofLoop).to.have.members(['find listeners', 'find changes', 'find deferred_events', 'update listeners']);
  });

  it('listeners that run at the same time read their cursors with one command and new events with another, even if the events are replayed', async () => {
    const all = await Promise.all(times(3, () => aListener()));
    const starts = await Promise.all(all.map(({ name }) => cursorOf(name)));
    const consumeAll = () => Promise.all(all.map(consumeEvents));
    await consumeAll();
    const ids = await appendEvents(['a', 'b']);
    const countReads = async (): Promise<number[]> => {
      const commands = (await commandsDuring(consumeAll)) as { find?: string; update?: string }[];
      return ['listeners', 'changes'].map((name) => commands.filter(({ find }) => find === name).length);
    };
    expect(await countReads()).to.deep.equal([1, 1]);
    await Promise.all(all.map((listener, index) => replay(listener, starts[index] as string)));
    expect(await countReads()).to.deep.equal([1, 1]);
    for (const listener of all) expect(await effectEvents(listener)).to.have.members(ids);
  });

  it('a listener handles each event once, even if several of its jobs run at the same time or the events are replayed', async () => {
    const listener = await aListener();
    const start = await cursorOf(listener.name);
    const ids = await appendEvents(times(120, (index) => `record ${index % 7}`));
    await Promise.all(times(3, () => handleAll(listener)));
    expect((await effectEvents(listener)).toSorted()).to.deep.equal(ids.toSorted());
    await replay(listener, start);
    expect(await countPending(listener)).to.equal(120);
    await handleAll(listener);
    expect((await effectEvents(listener)).toSorted()).to.deep.equal(ids.toSorted());
  });

  it('a listener handles each event once when its worker is killed between an effect and the update of the cursor', async () => {
    const listener = await aListener();
    const ids = await appendEvents(times(10, (index) => `record ${index}`));
    const dying = fork(new URL('../support/crashing-listener.ts', import.meta.url), [listener.name]);
    const [, signal] = await once(dying, 'exit');
    expect(signal).to.equal('SIGKILL');
    expect((await effectEvents(listener)).length).to.be.within(3, 10);
    expect(await countPending(listener)).to.equal(10);
    await handleAll(listener);
    expect((await effectEvents(listener)).toSorted()).to.deep.equal(ids.toSorted());
  });

  it('a listener on test.* handles all events whose names begin with test.', async () => {
    const listener = await aListener({ on: ['test.*'] });
    const opened = await appendEvents(['a']);
    const closed = await appendEvents(['a'], { name: 'test.close' });
    await consumeEvents(listener);
    expect(await effectEvents(listener)).to.deep.equal([...opened, ...closed]);
  });

  it('a replay from a position after the cursor is rejected with CURSOR_AHEAD', async () => {
    const listener = await aListener();
    const later = '9'.repeat(20);
    const refused = await replay(listener, later).then(
      () => 'accepted',
      ({ code }: AppError) => code,
    );
    expect(refused).to.equal('CURSOR_AHEAD');
  });
});

describe('Failed events of a listener', () => {
  after(() => removeTestEvents());

  it('a failed event delays later events of its record, and no others', async () => {
    const listener = await aFailingListener(['bad']);
    const [first, good, second] = await appendEvents(['bad', 'good', 'bad']);
    await consumeEvents(listener);
    const [third] = await appendEvents(['bad'], { name: 'test.close' });
    await consumeEvents(listener);
    expect(await effectEvents(listener)).to.deep.equal([good]);
    listener.recover();
    const [fourth] = await appendEvents(['bad']);
    await consumeEvents(listener);
    expect(await effectEvents(listener), 'still deferred').to.deep.equal([good]);
    await passTime(listener, 1);
    expect(await retryEvents(listener, TEST_PROJECT)).to.equal(null);
    expect(await effectEvents(listener)).to.deep.equal([good, first, second, third, fourth]);
  });

  it('a failed event delays later events of its conversation, even those of other records', async () => {
    const listener = await aFailingListener(['message 1']);
    const one = { payload: { request_id: 'one' } };
    await appendEvents(['message 1'], one);
    const [other] = await appendEvents(['message 2'], { payload: { request: { request_id: 'two' } } });
    const [delayed] = await appendEvents(['message 3'], { payload: { request: { request_id: 'one' } } });
    await consumeEvents(listener);
    expect(await effectEvents(listener)).to.deep.equal([other]);
    listener.recover();
    await passTime(listener, 1);
    await retryEvents(listener, TEST_PROJECT);
    expect((await effectEvents(listener)).at(-1)).to.equal(delayed);
    expect(await effectEvents(listener)).to.have.length(3);
  });

  it('a failed event delays later events of its record for at most a minute', async () => {
    const listener = await aFailingListener([]);
    const failOnClose = async (ref: Parameters<RunnableListener['handle']>[0]) => {
      if (ref.event === 'test.close') throw new Error('away');
      await recordEffect(listener.name, ref);
    };
    const failing = { ...listener, attempts: 9, handle: failOnClose };
    await appendEvents(['a'], { name: 'test.close' });
    const [second, third] = await appendEvents(['a', 'a']);
    await consumeEvents(failing);
    await passTime(failing, 50);
    await retryEvents(failing, TEST_PROJECT);
    expect(await effectEvents(failing)).to.deep.equal([]);
    await passTime(failing, 10);
    await retryEvents(failing, TEST_PROJECT);
    const [fourth] = await appendEvents(['a']);
    await consumeEvents(failing);
    expect(await effectEvents(failing)).to.deep.equal([second, third, fourth]);
    expect(await countDeferred(failing)).to.equal(1);
  });

  it('an event becomes a dead letter after the last attempt, and later events of its record are handled', async () => {
    const listener = await aFailingListener(['bad']);
    await appendEvents(['bad']);
    await consumeEvents(listener);
    for (let tries = 1; tries < listener.attempts; tries += 1) {
      expect(await deadLettersOf(listener)).to.deep.equal([]);
      await passTime(listener, 3600);
      await retryEvents(listener, TEST_PROJECT);
    }
    expect(await deadLettersOf(listener)).to.deep.equal([{ code: 'RETRIES_EXHAUSTED', record: 'bad' }]);
    expect(await countDeferred(listener)).to.equal(0);
    listener.recover();
    const next = await appendEvents(['bad']);
    await consumeEvents(listener);
    expect(await effectEvents(listener)).to.deep.equal(next);
  });

  it('an event that fails with a permanent error becomes a dead letter without a retry', async () => {
    const listener = await aFailingListener(['bad'], new AppError(404, 'NOT_FOUND', 'gone'));
    await appendEvents(['bad']);
    await consumeEvents(listener);
    expect(await deadLettersOf(listener)).to.deep.equal([{ code: 'NOT_FOUND', record: 'bad' }]);
  });
});
