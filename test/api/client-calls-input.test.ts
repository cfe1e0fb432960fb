/** What public clients send, as they send it: empty values, texts in place of flags and numbers, more than is known. */
import { expect } from 'chai';
import { bothProfiles } from '../support/both-profiles.ts';
import { aConversation } from '../support/conversations.ts';

describe('What public clients send', () => {
  const profiles = bothProfiles();

  it('D6: a message may have any whole number as its status', async () => {
    const { one, agent } = await aConversation();
    await profiles.each(async (send) => {
      const statuses = [1000, -5000, 12_345_678];
      for (const status of statuses) {
        const body = { text: 'seen', status };
        const reply = await send({ client: 'library', method: 'POST', path: `${one}/messages`, as: agent, body });
        expect([reply.status, reply.body.status]).to.deep.equal([200, status]);
      }
    });
  });
});
