/**
 * Listeners whose handler hangs for the events of one project until the test releases it, and the events of other
 * projects.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { cursorOf } from '#shared/domain/events/listeners.ts';
import { Change } from '#shared/models/change.ts';
import { DeferredEvent } from '#shared/models/deferred-event.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import type { RunnableListener } from '../../workers/listeners/handle-event.ts';
import { retryEvents } from '../../workers/listeners/retry-events.ts';
import { times } from '../support/fleet-fixture.ts';
import {
  aListener,
  appendEvents,
  countDeferred,
  effectEvents,
  handleAll,
  recordEffect,
} from '../support/test-listeners.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * A listener whose handler hangs for the project `slow` until `release` is called. `startedIds` lists the events of
 * that project for which an attempt has started.
 */
const aHangingListener = async (more: Partial<RunnableListener> = {}) => {
  const [slow, fast] = [randomUUID(), randomUUID()];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const startedIds: string[] = [];
  const concurrency = { current: 0, max: 0 };
  const plainListener = await aListener({ limits: { batchMs: 100 }, ...more });
  const work: RunnableListener['handle'] = async (ref) => {
    if (ref.id_project === slow) {
      startedIds.push(ref.id);
      concurrency.current += 1;
      concurrency.max = Math.max(concurrency.max, concurrency.current);
      await released;
      concurrency.current -= 1;
    }
    await recordEffect(plainListener.name, ref);
  };
  const listener = { ...plainListener, handle: work };
  const appendTo = (project: string) => (records: string[]) => appendEvents(records, { project });
  const end = () => {
    release();
    return Change.deleteMany({ id_project: { $in: [slow, fast] } });
  };
  return {
    listener,
    slow,
    fast,
    startedIds,
    concurrency,
    release,
    appendSlow: appendTo(slow),
    appendFast: appendTo(fast),
    end,
  };
};

describe('Fairness of event listeners between projects', () => {
  it("a listener that hangs for one project handles other projects' events, and later the deferred events, once and in order", async () => {
    const { listener, slow, fast, appendSlow, appendFast, release, end } = await aHangingListener();
    const hung = await appendSlow(['a', 'a', 'a', 'b']);
    const [first] = await appendFast(['c']);
    const pump = consumeEvents(listener);
    await waitUntil(async () => (await effectEvents(listener, fast)).length === 1);
    const later = await appendFast(['c', 'd']);
    const more = await appendSlow(['a']);
    await pump;
    await consumeEvents(listener);
    expect(await effectEvents(listener, fast)).to.have.members([first, ...later]);
    expect(await effectEvents(listener, slow)).to.deep.equal([]);
    release();
    await waitUntil(async () => {
      await retryEvents(listener, slow);
      return !(await countDeferred(listener));
    });
    const [one, two, three, other] = hung;
    const done = await effectEvents(listener, slow);
    expect(done.filter((id) => id !== other)).to.deep.equal([one, two, three, ...more]);
    expect(done).to.have.length(5);
    await end();
  });

  it('for a minute, further events of a project for which the handler hangs are deferred without an attempt', async () => {
    const { listener, startedIds, appendSlow, end } = await aHangingListener();
    await appendSlow(['a']);
    await consumeEvents(listener);
    expect(startedIds).to.have.length(1);
    await appendSlow(times(5, String));
    const before = await cursorOf(listener.name);
    await consumeEvents(listener);
    expect(startedIds).to.have.length(1);
    expect((await cursorOf(listener.name)) > before).to.equal(true);
    expect(await countDeferred(listener)).to.equal(6);
    await end();
  });

  it('the retry job handles four ordering keys of a project at the same time', async () => {
    const { listener, slow, concurrency, appendSlow, release, end } = await aHangingListener();
    await appendSlow(['a']);
    await consumeEvents(listener);
    await appendSlow(times(12, String));
    await consumeEvents(listener);
    const retrying = retryEvents(listener, slow);
    await waitUntil(() => concurrency.current === 5); // one attempt in the batch of events, and four in the retry job
    release();
    await retrying;
    await waitUntil(async () => {
      await retryEvents(listener, slow);
      return !(await countDeferred(listener));
    });
    expect(concurrency.max).to.equal(5);
    expect(new Set(await effectEvents(listener, slow))).to.have.length(13);
    await end();
  });

  it('an event waits for at most eight events of another project, however many are ahead of it', async () => {
    const [busy, other] = [randomUUID(), randomUUID()];
    const startedIds: string[] = [];
    const listener = await aListener({ handle: async (ref) => void startedIds.push(ref.id) });
    const many = await appendEvents(
      times(700, (index) => `record ${index % 10}`),
      { project: busy },
    );
    const [one = ''] = await appendEvents(['a'], { project: other });
    await handleAll(listener, busy);
    expect(startedIds.indexOf(one)).to.be.within(0, 8);
    for (const record of times(10, Number)) {
      const events = new Set(many.filter((_, index) => index % 10 === record));
      expect(startedIds.filter((id) => events.has(id))).to.deep.equal([...events]);
    }
    expect(startedIds).to.have.length(701);
    await Change.deleteMany({ id_project: { $in: [busy, other] } });
  });

  it('a listener that is behind defers no event of a project that has few events per second', async () => {
    const project = randomUUID();
    const listener = await aListener();
    const records = times(60, (index) => `record ${index % 10}`);
    const events = await appendEvents(records, { project, perSecond: 15 });
    await consumeEvents(listener);
    expect(await countDeferred(listener)).to.equal(0);
    expect(await effectEvents(listener, project)).to.have.members(events);
    await Change.deleteMany({ id_project: project });
  });

  it('an attempt of a listener is aborted after its time limit, and the event is deferred', async () => {
    let stopped = 0;
    const work: RunnableListener['handle'] = async (_ref, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => {
        stopped += 1;
        resolve();
      });
      await promise;
    };
    const listener = await aListener({ handle: work, limits: { attemptMs: 30 } });
    const project = randomUUID();
    await appendEvents(['a'], { project });
    await consumeEvents(listener);
    expect(stopped).to.equal(1);
    const failure = await DeferredEvent.findOne({ listener: listener.name }).lean();
    expect(failure).to.include({ attemptsMade: 1 });
    await Change.deleteMany({ id_project: project });
  });
});
