import { aMortalSystem, type MortalSystem, underAllKills } from '../support/event-trials.ts';

describe('Conversations under load', function underLoad() {
  this.timeout(120_000);
  let system: MortalSystem;

  before(async () => {
    system = await aMortalSystem();
  });
  after(() => system.close());

  it('lose and double nothing when relay, API, worker, Redis and MongoDB are killed in turn', async () =>
    console.log(`      ${await underAllKills(system, { rounds: 1, share: 0.2 })}`));
});
