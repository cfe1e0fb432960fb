import { underKills } from '../support/import-trials.ts';

describe('Messages that are imported while the API dies, at length (F21)', function () {
  this.timeout(1_800_000);

  it('are all there, once and in order: 100,000 by their names, under at most 100 kills', async () =>
    console.log(await underKills({ messages: 100_000, batch: 5000, kills: 100, life: 800, by: 'name' })));

  it('are all there, once and in order: 20,000 by the keys of their calls, under at most 10 kills', async () =>
    console.log(await underKills({ messages: 20_000, batch: 5000, kills: 10, life: 800, by: 'key' })));
});
