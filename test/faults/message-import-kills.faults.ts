/** F21 is a failure described in docs/failures.md. */
import { importMessagesUnderKills } from '../support/message-import-trials.ts';

describe('Message import while the API is killed', function () {
  this.timeout(1_800_000);

  it('F21: 100,000 messages with client_message_ids are imported once and in order despite up to 100 kills', async () =>
    console.log(
      await importMessagesUnderKills({
        messages: 100_000,
        batch: 5000,
        kills: 100,
        maxLifeMs: 800,
        identifiedBy: 'name',
      }),
    ));

  it('20,000 messages with Idempotency-Keys are imported once and in order despite up to 10 kills', async () =>
    console.log(
      await importMessagesUnderKills({ messages: 20_000, batch: 5000, kills: 10, maxLifeMs: 800, identifiedBy: 'key' }),
    ));
});
