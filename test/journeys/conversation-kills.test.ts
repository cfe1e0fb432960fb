import { aKillableSystem, type KillableSystem, killAllPartsUnderLoad } from '../support/conversation-kill-trials.ts';

const PLAN = { rounds: 1, share: 0.1, measureMs: 600, sockets: 1 };

describe('Conversations while processes are killed', function underLoad() {
  let system: KillableSystem;

  before(async () => {
    system = await aKillableSystem();
  });
  after(() => system.close());

  it('no message, event or frame of a socket is lost or duplicated when relay, API, worker, Redis and MongoDB are killed in turn', async () =>
    console.log(`      ${await killAllPartsUnderLoad(system, PLAN)}`));
});
