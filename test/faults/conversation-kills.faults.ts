import { aKillableSystem, type KillableSystem, killAllPartsUnderLoad } from '../support/conversation-kill-trials.ts';

/** How often each part is killed; 50 times take about five minutes. */
const KILL_ROUNDS = Number(process.env.FAULT_TIMES ?? 50);
const PLAN = { rounds: KILL_ROUNDS, share: 0.6, measureMs: 5000, sockets: 3 };

describe('Conversations while processes are killed', function underLoad() {
  this.timeout(1_800_000);
  let system: KillableSystem;

  before(async () => {
    system = await aKillableSystem();
  });
  after(() => system.close());

  it(`conversations and sockets lose and duplicate nothing while relay, API, worker, Redis and MongoDB are killed ${KILL_ROUNDS} times each`, async () =>
    console.log(`      ${await killAllPartsUnderLoad(system, PLAN)}`));
});
