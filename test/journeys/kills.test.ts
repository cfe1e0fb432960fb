import { expect } from 'chai';
import { lost, place } from '#shared/domain/knowledge/index-places.ts';
import { type JobName, jobs } from '#shared/jobs.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { aSite } from '../support/fake-site.ts';
import { underKills, underPause, underRestart } from '../support/kill-trials.ts';
import { underDeletion, underFlush, underPoison } from '../support/loss-trials.ts';
import { aStage, type Stage, times } from '../support/stage.ts';
import { aChangingPage, deliverThrice, expectOnce, indexTwice } from '../support/twice.ts';

describe('An import by several processes', function () {
  this.timeout(120_000);
  let stage: Stage;

  before(async () => {
    stage = await aStage();
  });
  after(() => stage.close());

  it('ends whole, each page once, though workers and API are killed at random moments (F1, F2, F21)', () =>
    underKills(stage, { kills: 1, delayMs: 200, waiting: 20 }));

  it('fetches no page twice when a worker is told to stop, which ends with 0 (F11)', () =>
    underRestart(stage, 'restart'));

  it('leaves nothing of a worker that was paused, overtaken and wakes later', () => underPause(stage, 'pause'));

  it('ends whole when Redis forgets everything, and the clock ticks again (F3)', () => underFlush(stage, 'flush', 30));

  it('knows everything again after its store was deleted, without an embedding call (F8)', () =>
    underDeletion(stage, 'lost', 20));

  it('fails the poisonous pages and no other (F6)', () => underPoison(stage, { good: 20, bad: 3 }));
});

/** A payload that every job accepts, with the ids of records that do not exist. */
const anEvent = (record: string) => ({
  ...{ event: 'lead.update', id: 'event', record, position: '0' },
  listener: 'events.copy-lead',
  mail: record,
  import: record,
  removal: record,
  bot: record,
  conversation: record,
});

describe('Work done twice at the same time (F5)', () => {
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    site = await aSite();
  });
  after(() => site.close());

  it('by two workers at one content, leaves the result of one', async () => {
    const { id, change } = await aChangingPage(site);
    for (const at of times(4, Number)) {
      await change(at);
      await indexTwice(id);
      await expectOnce(id);
    }
  });

  it('by every job of the menu, is done once', async () => {
    const { id, path, change } = await aChangingPage(site);
    await change(0);
    for (const name of Object.keys(jobs) as JobName[]) {
      await lost({ id_project: id, id });
      await deliverThrice(name, { ...anEvent(id), id_project: id, slot: 1, namespace: id });
      await expectOnce(id);
      if (name === 'bulk.rebuild-index')
        expect(await KbNamespace.exists({ id_project: id, id, index: await place() })).to.not.equal(null);
    }
    expect(site.hits.get(path)).to.equal(1);
  });
});
