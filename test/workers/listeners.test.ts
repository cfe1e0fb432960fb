import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { cursorOf, lag, replay } from '#shared/domain/events/listeners.ts';
import { AppError } from '#shared/errors.ts';
import { DeadEvent } from '#shared/models/dead-event.ts';
import { ListenerFailure } from '#shared/models/listener-failure.ts';
import type { Listening } from '../../workers/steps/hear.ts';
import { listen } from '../../workers/steps/listen.ts';
import { retry } from '../../workers/steps/retry.ts';
import { times } from '../support/stage.ts';
import { aListener, effectsOf, leaveEffect, PROJECT, tell, untell } from '../support/told.ts';

/** A listener that fails at these records until told otherwise. */
const aFailingOne = async (records: string[], error = new Error('away')) => {
  const bad = new Set(records);
  const made = await aListener();
  const work: Listening['work'] = async (ref) => {
    if (bad.has(ref.record)) throw error;
    await leaveEffect(made.name, ref);
  };
  return { ...made, work, recover: () => bad.clear() };
};

const asideOf = ({ name }: Listening) => ListenerFailure.countDocuments({ listener: name });
const deadOf = ({ name }: Listening) => DeadEvent.find({ by: name }, { code: 1, record: 1, _id: 0 }).lean();

/** So much time passes for what is aside. */
const passes = async ({ name }: Listening, seconds: number) => {
  const earlier = (field: string) => ({ $subtract: [`$${field}`, seconds * 1000] });
  await ListenerFailure.updateMany({ listener: name }, [{ $set: { due: earlier('due'), since: earlier('since') } }], {
    updatePipeline: true,
  });
};

describe('A job on events', () => {
  after(() => untell());

  it("hears each event once, a record's in their order, from the moment it is new", async () => {
    await tell(['a']);
    const listener = await aListener();
    expect(await lag(listener)).to.equal(0);
    const opened = await tell(times(150, (at) => `record ${at}`));
    const closed = await tell(
      times(150, (at) => `record ${at}`),
      { name: 'test.close' },
    );
    expect(await lag(listener)).to.equal(300);
    await listen(listener);
    const heard = await effectsOf(listener);
    expect(heard.toSorted()).to.deep.equal([...opened, ...closed].toSorted());
    opened.forEach((id, at) => expect(heard.indexOf(id)).to.be.below(heard.indexOf(closed[at] as string)));
    expect(await lag(listener)).to.equal(0);
  });

  it('does nothing twice when several pumps run at the same time, nor in a replay', async () => {
    const listener = await aListener();
    const start = await cursorOf(listener.name);
    const ids = await tell(times(120, (at) => `record ${at % 7}`));
    await Promise.all(times(3, () => listen(listener)));
    expect((await effectsOf(listener)).toSorted()).to.deep.equal(ids.toSorted());
    await replay(listener, start);
    expect(await lag(listener)).to.equal(120);
    await listen(listener);
    expect((await effectsOf(listener)).toSorted()).to.deep.equal(ids.toSorted());
  });

  it('does nothing twice when its worker is killed between an effect and the cursor (F1)', async () => {
    const listener = await aListener();
    const ids = await tell(times(10, (at) => `record ${at}`));
    const dying = fork(new URL('../support/dying-listener.ts', import.meta.url), [listener.name]);
    const [, signal] = await once(dying, 'exit');
    expect(signal).to.equal('SIGKILL');
    expect((await effectsOf(listener)).length).to.be.within(3, 10);
    expect(await lag(listener)).to.equal(10);
    await listen(listener);
    expect((await effectsOf(listener)).toSorted()).to.deep.equal(ids.toSorted());
  });

  it('may hear a whole family of names', async () => {
    const listener = await aListener({ on: ['test.*'] });
    const opened = await tell(['a']);
    const closed = await tell(['a'], { name: 'test.close' });
    await listen(listener);
    expect(await effectsOf(listener)).to.deep.equal([...opened, ...closed]);
  });

  it('refuses a replay that would leave events out', async () => {
    const listener = await aListener();
    const later = '9'.repeat(20);
    const refused = await replay(listener, later).then(
      () => 'accepted',
      ({ code }: AppError) => code,
    );
    expect(refused).to.equal('NOT_YET_HEARD');
  });
});

describe('An event that a listener fails at', () => {
  after(() => untell());

  it('holds the later ones of its record until it is done, and no others', async () => {
    const listener = await aFailingOne(['bad']);
    const [first, good, second] = await tell(['bad', 'good', 'bad']);
    await listen(listener);
    const [third] = await tell(['bad'], { name: 'test.close' });
    await listen(listener);
    expect(await effectsOf(listener)).to.deep.equal([good]);
    listener.recover();
    const [fourth] = await tell(['bad']);
    await listen(listener);
    expect(await effectsOf(listener), 'still behind').to.deep.equal([good]);
    await passes(listener, 1);
    expect(await retry(listener, PROJECT)).to.equal(null);
    expect(await effectsOf(listener)).to.deep.equal([good, first, second, third, fourth]);
  });

  it('holds what comes later in its conversation, whichever record that is of', async () => {
    const listener = await aFailingOne(['message 1']);
    const one = { payload: { request_id: 'one' } };
    await tell(['message 1'], one);
    const [other] = await tell(['message 2'], { payload: { request: { request_id: 'two' } } });
    const [held] = await tell(['message 3'], { payload: { request: { request_id: 'one' } } });
    await listen(listener);
    expect(await effectsOf(listener)).to.deep.equal([other]);
    listener.recover();
    await passes(listener, 1);
    await retry(listener, PROJECT);
    expect((await effectsOf(listener)).at(-1)).to.equal(held);
    expect(await effectsOf(listener)).to.have.length(3);
  });

  it('holds them for a minute at most', async () => {
    const listener = await aFailingOne([]);
    const only = async (ref: Parameters<Listening['work']>[0]) => {
      if (ref.event === 'test.close') throw new Error('away');
      await leaveEffect(listener.name, ref);
    };
    const failing = { ...listener, attempts: 9, work: only };
    await tell(['a'], { name: 'test.close' });
    const [second, third] = await tell(['a', 'a']);
    await listen(failing);
    await passes(failing, 50);
    await retry(failing, PROJECT);
    expect(await effectsOf(failing)).to.deep.equal([]);
    await passes(failing, 10);
    await retry(failing, PROJECT);
    const [fourth] = await tell(['a']);
    await listen(failing);
    expect(await effectsOf(failing)).to.deep.equal([second, third, fourth]);
    expect(await asideOf(failing)).to.equal(1);
  });

  it('is put with the dead ones after its last try, and its record goes on', async () => {
    const listener = await aFailingOne(['bad']);
    await tell(['bad']);
    await listen(listener);
    for (let tries = 1; tries < listener.attempts; tries += 1) {
      expect(await deadOf(listener)).to.deep.equal([]);
      await passes(listener, 3600);
      await retry(listener, PROJECT);
    }
    expect(await deadOf(listener)).to.deep.equal([{ code: 'TRIED_IN_VAIN', record: 'bad' }]);
    expect(await asideOf(listener)).to.equal(0);
    listener.recover();
    const next = await tell(['bad']);
    await listen(listener);
    expect(await effectsOf(listener)).to.deep.equal(next);
  });

  it('is put there at once when another try can not help', async () => {
    const listener = await aFailingOne(['bad'], new AppError(404, 'NOT_FOUND', 'gone'));
    await tell(['bad']);
    await listen(listener);
    expect(await deadOf(listener)).to.deep.equal([{ code: 'NOT_FOUND', record: 'bad' }]);
  });
});
