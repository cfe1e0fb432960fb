/** F1 and F6 are failures described in docs/failures.md. */
import { aChangingPage, expectIndexedOnce, indexConcurrently } from '../support/concurrent-attempts.ts';
import { aSite } from '../support/fake-site.ts';
import { aFleetFixture, type FleetFixture, times } from '../support/fleet-fixture.ts';
import { importThroughPause, importThroughRestart, importUnderKills } from '../support/kb-import-kill-trials.ts';
import {
  importThroughRedisFlush,
  importThroughStoreDeletion,
  importWithFailingPages,
} from '../support/kb-import-loss-trials.ts';

describe('Knowledge base import while processes are killed', function () {
  this.timeout(1_800_000);
  let fixture: FleetFixture;

  before(async () => {
    fixture = await aFleetFixture();
  });
  after(() => fixture.close());

  const repeat = (count: number, trial: (name: string) => Promise<void>) => async () => {
    for (const index of times(count, Number)) await trial(`trial${index}x`);
    console.log(`      ${count} trials`);
  };

  it('F1: an import is complete after 100 kills of a worker and 100 of the API', async () =>
    console.log(await importUnderKills(fixture, { kills: 100, delayMs: 600, waiting: 60, maxGapMs: 200 })));

  it(
    'an import during which the worker is restarted fetches no page twice, in 50 trials',
    repeat(50, (name) => importThroughRestart(fixture, `restart${name}`, 40)),
  );

  it(
    'an import keeps no result of a worker that was paused and superseded, in 20 trials',
    repeat(20, (name) => importThroughPause(fixture, name)),
  );

  it(
    'an import is complete after Redis has lost all data, in 20 trials of 300 pages',
    repeat(20, (name) => importThroughRedisFlush(fixture, `flush${name}`, 300)),
  );

  it(
    '1,000 pages are indexed again after the index has been deleted, in 5 trials',
    repeat(5, (name) => importThroughStoreDeletion(fixture, `lost${name}`, 1000)),
  );

  it('F6: in an import, 20 malicious pages fail and 500 others are indexed', () =>
    importWithFailingPages(fixture, { good: 500, bad: 20 }));
});

describe('Two workers indexing one content', function () {
  this.timeout(300_000);

  it('two workers indexing one content leave only the result of one of them, in 200 trials', async () => {
    const site = await aSite();
    const { id, change } = await aChangingPage(site);
    for (const index of times(200, Number)) {
      await change(index);
      await indexConcurrently(id);
      await expectIndexedOnce(id);
    }
    await site.close();
  });
});
