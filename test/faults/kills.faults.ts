import { aSite } from '../support/fake-site.ts';
import { underKills, underPause, underRestart } from '../support/kill-trials.ts';
import { underDeletion, underFlush, underPoison } from '../support/loss-trials.ts';
import { aStage, type Stage, times } from '../support/stage.ts';
import { aChangingPage, expectOnce, indexTwice } from '../support/twice.ts';

describe('An import by several processes, at length', function () {
  this.timeout(1_800_000);
  let stage: Stage;

  before(async () => {
    stage = await aStage();
  });
  after(() => stage.close());

  const again = (count: number, trial: (name: string) => Promise<void>) => async () => {
    for (const at of times(count, Number)) await trial(`trial${at}x`);
    console.log(`      ${count} trials`);
  };

  it('ends whole after 100 kills of a worker and 100 of the API (F1, F2, F21)', async () =>
    console.log(await underKills(stage, { kills: 100, delayMs: 600, waiting: 60 })));

  it(
    'fetches no page twice in 50 restarts of a worker (F11)',
    again(50, (name) => underRestart(stage, `restart${name}`)),
  );

  it(
    'leaves nothing of a worker that was paused and overtaken, in 20 trials',
    again(20, (name) => underPause(stage, name)),
  );

  it(
    'ends whole when Redis forgets everything, in 20 trials of 300 pages (F3)',
    again(20, (name) => underFlush(stage, `flush${name}`, 300)),
  );

  it(
    'knows 1,000 pages again after its store was deleted, in 5 trials (F8)',
    again(5, (name) => underDeletion(stage, `lost${name}`, 1000)),
  );

  it('fails 20 poisonous pages and none of 500 others (F6)', () => underPoison(stage, { good: 500, bad: 20 }));
});

describe('Two workers at one content, at length (F5)', function () {
  this.timeout(300_000);

  it('leave the result of one, in 200 trials', async () => {
    const site = await aSite();
    const { id, change } = await aChangingPage(site);
    for (const at of times(200, Number)) {
      await change(at);
      await indexTwice(id);
      await expectOnce(id);
    }
    await site.close();
  });
});
