import { talkWhileWorkerIsKilled } from '../support/bot-conversation-trials.ts';
import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';

const TURNS = Number(process.env.FAULT_TURNS ?? 1000);
const KILLS = Number(process.env.FAULT_TIMES ?? 10);

describe('Long conversations with bots while the worker is killed', function underLoad() {
  this.timeout(1_800_000);
  let system: KillableWorker;

  before(async () => {
    system = await aKillableWorker();
  });
  after(() => system.close());

  for (const kind of ['internal', 'external'] as const)
    it(`an ${kind} bot replies to each of ${TURNS} messages of a visitor once and in order while the worker is killed ${KILLS} times`, () =>
      talkWhileWorkerIsKilled(system, { talks: [{ kind, turns: TURNS }], kills: KILLS }));
});
