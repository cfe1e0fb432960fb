/** F7 is a failure described in docs/failures.md. */
import { aKillableSystem, type KillableSystem, killAllPartsUnderLoad } from '../support/conversation-kill-trials.ts';

const PLAN = { seconds: 0, share: 0.04, measureMs: 100, sockets: 1 };

describe('Conversations while processes are killed', function underLoad() {
  let system: KillableSystem;

  before(async () => {
    system = await aKillableSystem({ apiCount: 1, hasRelayProcess: false });
  });
  after(() => system.close());

  it('F7: no message, event, frame or webhook is lost when the API, the worker with its relay, Redis and MongoDB are killed in turn', async () =>
    console.log(`      ${await killAllPartsUnderLoad(system, PLAN)}`));
});
