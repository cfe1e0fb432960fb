import { talkWhileWorkerIsKilled } from '../support/bot-conversation-trials.ts';

describe('Conversations with bots while the worker is killed', function underLoad() {
  this.timeout(120_000);

  it('an internal bot replies to each of 24 turns once and in order', () =>
    talkWhileWorkerIsKilled({ kind: 'internal', turns: 24, kills: 1 }));

  it('an external bot that delays, fails and duplicates replies to each of 16 turns once and in order', () =>
    talkWhileWorkerIsKilled({ kind: 'external', turns: 16, kills: 1 }));
});
