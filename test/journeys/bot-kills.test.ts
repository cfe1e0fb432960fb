import { talkWhileWorkerIsKilled } from '../support/bot-conversation-trials.ts';

describe('Conversations with bots while the worker is killed', function underLoad() {
  this.timeout(120_000);

  it('an internal bot and an unreliable external bot reply to each turn once and in order', () =>
    talkWhileWorkerIsKilled({
      talks: [
        { kind: 'internal', turns: 12 },
        { kind: 'external', turns: 12 },
      ],
      kills: 1,
    }));
});
