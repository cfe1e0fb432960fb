/** Emails that a mail server hands over: new conversations, repeated emails, body formats and errors. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { config } from '#shared/config.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Mail } from '#shared/models/mail.ts';
import { anApi, api, call } from '../support/api.ts';
import { aMail, receive } from '../support/inbound.ts';
import { anInboundProject, aReply, type InboundProject } from '../support/inbound-project.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

describe('POST /v3/:project_id/emails/inbound', () => {
  let fixture: InboundProject;

  before(async () => {
    fixture = await anInboundProject();
  });
  after(() => fixture.close());

  it('opens a conversation with the channel, subject, text and lead of the email', async () => {
    const { status, body, text } = await fixture.receiveMail(aMail({ From: '"Zoe Zed" <Zoe@Example.org>' }));
    expect(status, text).to.equal(200);
    expect(body.result).to.equal('conversation');
    const { channel, subject, first_text, snapshot } = await fixture.conversation(body.request_id);
    expect({ channel, subject, first_text }).to.deep.equal({
      channel: { name: 'email' },
      subject: 'Order',
      first_text: 'Where is my order?',
    });
    expect(snapshot?.lead).to.include({ email: 'zoe@example.org', fullname: 'Zoe Zed' });
  });

  it('conversations of one sender share a lead, which keeps the email address that an agent has set', async () => {
    const From = `${randomUUID()}@example.org`;
    const first = (await fixture.receiveMail(aMail({ From }))).body;
    const lead = (await fixture.conversation(first.request_id)).lead as string;
    await api(fixture.agent).put(`/v3/${fixture.project.id}/leads/${lead}`, { email: 'work@example.org' });
    const second = (await fixture.receiveMail(aMail({ From }))).body;
    expect(second.request_id).to.not.equal(first.request_id);
    const { snapshot, ...found } = await fixture.conversation(second.request_id);
    expect(found.lead).to.equal(lead);
    expect(snapshot?.lead).to.include({ email: 'work@example.org' });
  });

  it('an email that arrives several times, even concurrently, has one effect', async () => {
    const mail = aMail();
    const before = await fixture.countConversations();
    const replies = await Promise.all([1, 2, 3].map(() => fixture.receiveMail(mail)));
    replies.push(await fixture.receiveMail(mail));
    expect(replies.map(({ body }) => body.result)).to.have.members([
      'conversation',
      ...['duplicate', 'duplicate', 'duplicate'],
    ]);
    expect(await fixture.countConversations()).to.equal(before + 1);
    expect(await fixture.texts(replies[0]?.body.request_id)).to.have.lengthOf(1);
  });

  it('if a crash interrupted the processing of an email, the processing is completed when the email arrives again', async () => {
    const mail = aMail();
    const { request_id } = (await fixture.receiveMail(mail)).body;
    await Conversation.db.collection('mail_messages').deleteMany({ request_id });
    expect((await fixture.receiveMail(mail)).body).to.include({ result: 'conversation', request_id });
    expect(await fixture.texts(request_id)).to.have.lengthOf(1);
  });

  it('a repeated email without a Message-ID is recognized by its content', async () => {
    const mail = aMail({ 'Message-ID': undefined });
    expect((await fixture.receiveMail(mail)).body.result).to.equal('conversation');
    expect((await fixture.receiveMail(mail)).body.result).to.equal('duplicate');
  });

  it('a text that looks like a command or a template is stored unchanged', async () => {
    const text = 'See C:\\agent\\close and C:\\close: ${LABEL_PLACEHOLDER}';
    const { request_id } = (await fixture.receiveMail(aMail({}, text))).body;
    expect(await fixture.texts(request_id)).to.deep.equal([text]);
    expect((await fixture.conversation(request_id)).status).to.be.below(1000);
  });

  it('accepts a token that is signed with the secret of a subscription, as docs/mail.md describes', async () => {
    const subscription = { event: 'event.emit.mail-server', target: 'https://mail.example.com/' };
    const { _id, secret } = (await api(fixture.admin).post(`/v3/${fixture.project.id}/subscriptions`, subscription))
      .body;
    const audience = `https://tiledesk.com/subscriptions/${_id}`;
    const token = jwt.sign({ _id }, secret, { subject: 'subscription', audience });
    const { body } = await receive({ ...fixture, agent: { id: _id, authorization: `JWT ${token}` } }, aMail());
    expect(body.result).to.equal('conversation');
  });

  it('the transcript of a conversation is not emailed to the sender of an email, whose address may be forged', async () => {
    await fixture.set('email.autoSendTranscriptToRequester', true);
    const From = `${randomUUID()}@example.org`;
    const { request_id } = (await fixture.receiveMail(aMail({ From }))).body;
    await api(fixture.owner).put(`/v3/${fixture.project.id}/requests/${request_id}/close`, { force: true });
    await runJobsOnEvents(fixture.project.id);
    expect(await Mail.countDocuments({ to: From })).to.equal(0);
    expect(await Mail.countDocuments({ to: fixture.owner.email, template: 'sendTranscript' })).to.equal(1);
  });

  it('accepts hostile texts without timing out', async () => {
    const spaces = ' '.repeat(200_000);
    const texts = [
      `a${spaces}b${spaces}:`,
      `${'> '.repeat(50_000)}x`,
      'From: x\n'.repeat(20_000),
      'On 1:00 <a@b.org> wrote:\n'.repeat(20_000),
    ];
    const html = `${'<div>'.repeat(3000)}${'<blockquote>'.repeat(100)}Hello`;
    for (const text of texts) {
      const { status, body } = await fixture.receiveMail(aReply({}, text));
      expect(status, JSON.stringify(body)).to.equal(200);
    }
    expect((await fixture.receiveMail(aReply({ 'Content-Type': 'text/html' }, html))).status).to.equal(200);
  });

  it('accepts the raw email in the formats that inbound mail services use: multipart, URL-encoded and JSON', async () => {
    const { replyTo, request_id } = await fixture.openAndAnswer();
    const url = `${await anApi()}/v3/${fixture.project.id}/emails/inbound`;
    const headers = { authorization: fixture.agent.authorization };
    const form = (field: string, more: Record<string, string>) => {
      const body = new FormData();
      body.set(field, aReply({}, `As ${field}: grüße`));
      for (const [name, value] of Object.entries(more)) body.set(name, value);
      return { body, headers };
    };
    const json = { RawEmail: aReply({ To: replyTo }, 'As JSON: grüße'), From: 'x' };
    const encoded = new URLSearchParams({ 'body-mime': aReply({}, 'URL-encoded: grüße'), recipient: replyTo });
    const calls = [
      form('email', { envelope: JSON.stringify({ to: [replyTo], from: 'vera@example.org' }) }),
      form('body-mime', { recipient: replyTo, sender: 'vera@example.org' }),
      { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } },
      { body: encoded.toString(), headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } },
    ];
    for (const each of calls) {
      const { status, body, text } = await call('POST', url, each);
      expect({ status, ...body }, text).to.include({ status: 200, result: 'message', request_id });
    }
    expect((await fixture.texts(request_id)).slice(-4)).to.deep.equal([
      'As email: grüße',
      'As body-mime: grüße',
      'As JSON: grüße',
      'URL-encoded: grüße',
    ]);
  });

  it('returns an error code for a missing, malformed or oversized email, and for an email without a sender', async () => {
    const url = `${await anApi()}/v3/${fixture.project.id}/emails/inbound`;
    const headers = { authorization: fixture.agent.authorization };
    const json = { ...headers, 'content-type': 'application/json' };
    const cases: [object, number, string][] = [
      [{ body: '{}', headers: json }, 422, 'INVALID'],
      [{ body: JSON.stringify({ email: 'x'.repeat(config.BULK_BODY_LIMIT) }), headers: json }, 413, 'TOO_LARGE'],
      [{ body: 'x', headers: { ...headers, 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_TYPE'],
    ];
    for (const [options, status, code] of cases) {
      const reply = await call('POST', url, options);
      expect({ status: reply.status, code: reply.body.code }).to.deep.equal({ status, code });
    }
    for (const from of [undefined, 'nobody', '<>'] as (string | undefined)[]) {
      const reply = await fixture.receiveMail(aMail({ From: from }));
      expect(reply.body.code, from).to.equal('MAIL_WITHOUT_SENDER');
    }
    const large = await fixture.receiveMail(Buffer.alloc(config.INBOUND_MAIL_MAX_BYTES + 1, 'x'));
    expect(large.status).to.equal(413);
    const deep = Array.from({ length: 400 }, () => '--b\r\nContent-Type: text/plain\r\n\r\nx').join('\r\n');
    const parts = await fixture.receiveMail(aMail({ 'Content-Type': 'multipart/mixed; boundary=b' }, deep));
    expect({ status: parts.status, code: parts.body.code }).to.deep.equal({ status: 422, code: 'MAIL_MALFORMED' });
  });
});
