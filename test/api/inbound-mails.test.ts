/** Mails that a mail server hands over. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { aMail, receive, textsOf } from '../support/inbound.ts';
import { aProject } from '../support/people.ts';

describe('POST /v3/:project_id/emails/inbound', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  const receiveMail = (mail: string | Buffer, query = {}) => receive(fixture.agent, fixture.project.id, mail, query);
  const conversation = (request_id: string) =>
    Conversation.findOne({ id_project: fixture.project.id, request_id }).orFail().lean();

  beforeEach(async () => {
    fixture = await aProject();
  });

  it('opens a conversation with channel, subject, text and lead of the mail', async () => {
    const { status, body, text } = await receiveMail(aMail({ from: '"Vera Zed" <Vera@Example.org>' }));
    expect(status, text).to.equal(200);
    expect(body.result).to.equal('conversation');
    const { channel, subject, first_text, snapshot } = await conversation(body.request_id);
    expect({ channel, subject, first_text }).to.deep.equal({
      channel: { name: 'email' },
      subject: 'Order',
      first_text: 'Where is my order?',
    });
    expect(snapshot.lead).to.include({ email: 'vera@example.org', fullname: 'Vera Zed' });
  });
});
