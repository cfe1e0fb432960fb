/** F7 is a failure described in docs/failures.md. */
import { aKillableSystem, type KillableSystem, killAllPartsUnderLoad } from '../support/conversation-kill-trials.ts';

/** How long parts of the system are killed in turn. What is pending at the end must be delivered afterwards. */
const SECONDS = Number(process.env.FAULT_SECONDS ?? 300);
const PLAN = { seconds: SECONDS, share: 0.6, measureMs: 5000, sockets: 3 };
const API_COUNT = 2;

describe('Conversations while processes are killed', function underLoad() {
  this.timeout(SECONDS * 1000 + 1_800_000);
  let system: KillableSystem;

  before(async () => {
    system = await aKillableSystem({ apiCount: API_COUNT, hasRelayProcess: true });
  });
  after(() => system.close());

  it(`F7: conversations, sockets and webhooks lose nothing while the relay, the API, the worker, Redis and MongoDB are killed in turn for ${SECONDS} s`, async () =>
    console.log(`      ${await killAllPartsUnderLoad(system, PLAN)}`));
});
