/** Listeners whose work hangs for one project, beside other projects. The tests release the work by hand. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { cursorOf } from '#shared/domain/events/listeners.ts';
import { Change } from '#shared/models/change.ts';
import { ListenerFailure } from '#shared/models/listener-failure.ts';
import type { Listening } from '../../workers/steps/hear.ts';
import { listen } from '../../workers/steps/listen.ts';
import { retry } from '../../workers/steps/retry.ts';
import { times } from '../support/stage.ts';
import { aListener, effectsOf, leaveEffect, tell } from '../support/told.ts';
import { until } from '../support/until.ts';

/** A listener whose work for one project hangs until `release`; `begun` counts the attempts for that project. */
const aHangingOne = async (more: Partial<Listening> = {}) => {
  const [slow, fast] = [randomUUID(), randomUUID()];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const open = { now: 0, most: 0 };
  const made = await aListener({ limits: { pageMs: 100 }, ...more });
  const work: Listening['work'] = async (ref) => {
    if (ref.id_project === slow) {
      begun.push(ref.id);
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      await released;
      open.now -= 1;
    }
    await leaveEffect(made.name, ref);
  };
  const listener = { ...made, work };
  const of = (project: string) => (records: string[]) => tell(records, { project });
  const end = () => {
    release();
    return Change.deleteMany({ id_project: { $in: [slow, fast] } });
  };
  return { listener, slow, fast, begun, open, release, tellSlow: of(slow), tellFast: of(fast), end };
};

const asideOf = ({ name }: Listening) => ListenerFailure.countDocuments({ listener: name });

describe('A listener whose work hangs for one project', () => {
  it('goes on with the events of other projects, and does the work of the first one later, once and in order', async () => {
    const { listener, slow, fast, tellSlow, tellFast, release, end } = await aHangingOne();
    const hung = await tellSlow(['a', 'a', 'a', 'b']);
    const [first] = await tellFast(['c']);
    const pump = listen(listener);
    await until(async () => (await effectsOf(listener, fast)).length === 1);
    const later = await tellFast(['c', 'd']);
    const more = await tellSlow(['a']);
    await until(async () => (await effectsOf(listener, fast)).length === 3);
    expect(await effectsOf(listener, fast)).to.have.members([first, ...later]);
    await pump;
    await listen(listener);
    expect(await effectsOf(listener, slow)).to.deep.equal([]);
    release();
    await until(async () => {
      await retry(listener, slow);
      return !(await asideOf(listener));
    });
    const [one, two, three, other] = hung;
    const done = await effectsOf(listener, slow);
    expect(done.filter((id) => id !== other)).to.deep.equal([one, two, three, ...more]);
    expect(done).to.have.length(5);
    await end();
  });

  it('begins no more work of that project in its pages until a minute has passed', async () => {
    const { listener, slow, begun, tellSlow, end } = await aHangingOne();
    await tellSlow(['a']);
    await listen(listener);
    expect(begun).to.have.length(1);
    await tellSlow(times(5, String));
    const before = await cursorOf(listener.name);
    expect([...(await listen(listener)).kept]).to.deep.equal([slow]);
    expect(begun).to.have.length(1);
    expect((await cursorOf(listener.name)) > before).to.equal(true);
    expect(await asideOf(listener)).to.equal(6);
    await end();
  });

  it('works on four lines of a project at once, however many wait', async () => {
    const { listener, slow, open, tellSlow, release, end } = await aHangingOne();
    await tellSlow(['a']);
    await listen(listener);
    await tellSlow(times(12, String));
    await listen(listener);
    const retrying = retry(listener, slow);
    await until(() => open.now === 5); // the one that the page left, and four
    release();
    await retrying;
    await until(async () => {
      await retry(listener, slow);
      return !(await asideOf(listener));
    });
    expect(open.most).to.equal(5);
    expect(new Set(await effectsOf(listener, slow))).to.have.length(13);
    await end();
  });

  it('aborts the work after its time, and tries it again', async () => {
    let stopped = 0;
    const work: Listening['work'] = async (_ref, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => {
        stopped += 1;
        resolve();
      });
      await promise;
    };
    const listener = await aListener({ work, limits: { attemptMs: 30 } });
    const project = randomUUID();
    await tell(['a'], { project });
    await listen(listener);
    expect(stopped).to.equal(1);
    const failure = await ListenerFailure.findOne({ listener: listener.name }).lean();
    expect(failure).to.include({ tries: 1 });
    await Change.deleteMany({ id_project: project });
  });
});
