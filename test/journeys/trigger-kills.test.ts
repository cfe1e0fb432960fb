import { runTriggersWhileWorkerIsKilled } from '../support/trigger-kill-trials.ts';

describe('Triggers while the worker is killed', function underLoad() {
  this.timeout(300_000);

  it('each action has its effect once, and none is lost', () =>
    runTriggersWhileWorkerIsKilled({ conversations: 4, kills: 2 }));
});
