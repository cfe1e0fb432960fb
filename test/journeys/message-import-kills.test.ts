/** F21 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { importMessagesUnderKills } from '../support/message-import-trials.ts';

describe('Message import while the API is killed', () => {
  it('F21: a message import that is repeated until it succeeds stores each message once and in order', async () => {
    const summary = await importMessagesUnderKills({
      messages: 1600,
      batch: 800,
      kills: 1,
      maxLifeMs: 600,
      identifiedBy: 'name',
    });
    expect(summary).to.match(/[1-9] kills$/);
  }).timeout(60_000);
});
