import { aKillableSystem, type KillableSystem, killAllPartsUnderLoad } from '../support/conversation-kill-trials.ts';

describe('Conversations while processes are killed', function underLoad() {
  let system: KillableSystem;

  before(async () => {
    system = await aKillableSystem();
  });
  after(() => system.close());

  it('no message or event is lost or duplicated when relay, API, worker, Redis and MongoDB are killed in turn', async () =>
    console.log(`      ${await killAllPartsUnderLoad(system, { rounds: 1, share: 0.1 })}`));
});
