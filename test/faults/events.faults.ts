import { aMortalSystem, type MortalSystem, underAllKills } from '../support/event-trials.ts';

/** How often each part is killed. */
const KILLS = Number(process.env.FAULT_TIMES ?? 50);

describe('Conversations under load, at length', function underLoad() {
  this.timeout(1_800_000);
  let system: MortalSystem;

  before(async () => {
    system = await aMortalSystem();
  });
  after(() => system.close());

  it(`lose and double nothing when relay, API, worker, Redis and MongoDB are killed ${KILLS} times each`, async () =>
    console.log(`      ${await underAllKills(system, { rounds: KILLS, share: 0.6 })}`));
});
