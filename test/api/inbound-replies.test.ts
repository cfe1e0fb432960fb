/**
 * Which conversation a received email continues. The Reply-To address of an email from this system names its
 * conversation and contains a signature, which only the recipients of the email know.
 */
import { expect } from 'chai';
import { replyAddress } from '#shared/domain/mails/reply-address.ts';
import { Message } from '#shared/models/message.ts';
import { api } from '../support/api.ts';
import { receive } from '../support/inbound.ts';
import { type AnsweredMail, anInboundProject, aReply, type InboundProject } from '../support/inbound-project.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

const LEAD = 'vera@example.org';

describe('A reply by email', () => {
  let fixture: InboundProject;
  let answered: AnsweredMail;

  before(async () => {
    fixture = await anInboundProject();
    answered = await fixture.openAndAnswer();
  });
  after(() => fixture.close());

  it("continues the conversation of the agent's email that In-Reply-To names", async () => {
    const { request_id, messageId, inReplyTo } = answered;
    expect(inReplyTo).to.equal('<first@example.org>');
    const { body } = await fixture.receiveMail(aReply({ 'In-Reply-To': messageId }));
    expect(body).to.include({ result: 'message', request_id });
    const [first, second, ...others] = await fixture.texts(request_id);
    expect([first, second, others.at(-1)]).to.deep.equal(['Where is my order?', 'It is on its way.', 'Thanks']);
  });

  it('continues the conversation of an email in References, even if In-Reply-To names an unknown email', async () => {
    const { request_id } = answered;
    const references = '<unknown@example.org> <first@example.org>';
    const { body } = await fixture.receiveMail(
      aReply({ 'In-Reply-To': '<unknown@example.org>', References: references }),
    );
    expect(body).to.include({ result: 'message', request_id });
  });

  it('continues the conversation if it is sent to the signed address, even by a person other than the lead, and is stored under the name of its sender', async () => {
    const { request_id, replyTo } = answered;
    expect(replyTo).to.match(/^id-[0-9a-f]{24}\+[0-9a-f]{16}@in\.example\.net$/);
    const { body } = await fixture.receiveMail(
      aReply({ From: 'Colleague <c@example.org>', To: replyTo.toUpperCase() }),
    );
    expect(body).to.include({ result: 'message', request_id });
    const message = await Message.findOne({ _id: body.message_id, id_project: fixture.project.id }).lean();
    const { snapshot } = await fixture.conversation(request_id);
    const lead = snapshot?.lead as { lead_id: string };
    expect(message).to.include({ sender: lead.lead_id, senderFullname: 'Colleague' });
  });

  it('continues the conversation even if only the envelope contains the signed address', async () => {
    const { request_id, replyTo } = answered;
    for (const envelope of [{ recipient: `a@b.org, ${replyTo}` }, { envelope: JSON.stringify({ to: [replyTo] }) }])
      expect((await fixture.receiveMail(aReply({}), envelope)).body).to.include({ result: 'message', request_id });
  });

  it('continues the conversation of a web visitor who received an answer by email', async () => {
    const opened = await fixture.openConversation({ email: LEAD }, 'chat-1');
    await opened.postMessage(fixture.agent, 'By mail');
    await runJobsOnEvents(fixture.project.id);
    const replyTo = /^Reply-To: (chat-1\+[0-9a-f]{16}@in\.example\.net)\r$/m.exec(await fixture.latest(LEAD))?.[1];
    expect((await fixture.receiveMail(aReply({ To: replyTo }))).body.request_id).to.equal('chat-1');
    expect(await fixture.texts('chat-1')).to.deep.equal(['Where is my order?', 'By mail', 'Thanks']);
  });

  it('reopens a closed conversation', async () => {
    const { request_id, messageId } = answered;
    await api(fixture.agent).put(`/v3/${fixture.project.id}/requests/${request_id}/close`, {});
    await fixture.receiveMail(aReply({ 'In-Reply-To': messageId }));
    expect((await fixture.conversation(request_id)).status).to.equal(100);
  });

  it('opens a new conversation if the sender is neither the recipient of the email that In-Reply-To names nor the lead, or if the signature in the To address is missing or invalid', async () => {
    const { request_id, messageId, replyTo } = answered;
    const { _id } = await fixture.conversation(request_id);
    const foreign = replyAddress({ _id, id_project: '0'.repeat(24), request_id }) as string;
    const spoofed = [
      { From: 'mallory@example.org', 'In-Reply-To': messageId },
      { To: replyTo.replace(/\+./, (two) => `+${two === '+0' ? '1' : '0'}`) },
      { To: `${request_id}@in.example.net` },
      { To: foreign },
      { 'In-Reply-To': '<unknown@localhost>' },
    ];
    const before = await fixture.texts(request_id);
    for (const headers of spoofed)
      expect((await fixture.receiveMail(aReply(headers))).body.result, JSON.stringify(headers)).to.equal(
        'conversation',
      );
    expect(await fixture.texts(request_id)).to.deep.equal(before);
  });

  it('never continues a conversation of another project', async () => {
    const { messageId, replyTo } = answered;
    const other = await aProject();
    const reply = aReply({ To: replyTo, 'In-Reply-To': messageId });
    expect((await receive(other, reply)).body.result).to.equal('conversation');
  });
});
