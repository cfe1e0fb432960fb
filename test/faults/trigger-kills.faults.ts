/** Triggers while the worker is killed with SIGKILL. */
import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';
import { runTriggersWhileWorkerIsKilled } from '../support/trigger-kill-trials.ts';

const CONVERSATIONS = Number(process.env.FAULT_CONVERSATIONS ?? 200);
const KILLS = Number(process.env.FAULT_KILLS ?? 30);

describe('Triggers while the worker is killed', function () {
  this.timeout(1_800_000);
  let system: KillableWorker;

  before(async () => {
    system = await aKillableWorker();
  });
  after(() => system.close());

  it(`the actions of triggers in ${CONVERSATIONS} conversations take effect exactly once while the worker is killed ${KILLS} times`, () =>
    runTriggersWhileWorkerIsKilled(system, { conversations: CONVERSATIONS, kills: KILLS }));
});
