/** Mails that a mail server hands over: who may continue a conversation, which mails are ignored, and limits. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { config } from '#shared/config.ts';
import { replyAddress } from '#shared/domain/mails/reply-address.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Mail } from '#shared/models/mail.ts';
import { Message } from '#shared/models/message.ts';
import { anApi, api, call } from '../support/api.ts';
import { aMail, receive, textsOf } from '../support/inbound.ts';
import { aProject } from '../support/people.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';
import { runJobs, runJobsOnEvents } from '../support/run-jobs.ts';

const LEAD = 'vera@example.org';

describe('POST /v3/:project_id/emails/inbound', () => {
  let fixture: ProjectWithMailbox;
  let project: string;
  /** A conversation that a mail of the lead has opened, and the headers of the mail with the agent's answer. */
  let answered: { request_id: string; messageId: string; replyTo: string; inReplyTo: string };
  const settings = { ...config };
  const receiveMail = (mail: string | Buffer, query = {}) => receive(fixture.agent, project, mail, query);
  const conversation = (request_id: string) =>
    Conversation.findOne({ id_project: project, request_id }).orFail().lean();
  const countConversations = () => Conversation.countDocuments({ id_project: project });
  const texts = (request_id: string) => textsOf(project, request_id);
  const aReply = (headers: Record<string, string>, text = 'Thanks') =>
    aMail({ Subject: 'Re: Order', ...headers }, text);

  const openAndAnswer = async () => {
    const { request_id } = (await receiveMail(aMail({ 'Message-ID': '<first@example.org>' }))).body;
    await api(fixture.agent).post(`/v3/${project}/requests/${request_id}/messages`, { text: 'It is on its way.' });
    await runJobsOnEvents(project);
    const sent = await fixture.latest(LEAD);
    const header = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(sent)?.[1] ?? '';
    const headers = { messageId: header('Message-ID'), replyTo: header('Reply-To'), inReplyTo: header('In-Reply-To') };
    return { request_id, ...headers };
  };

  before(async () => {
    config.EMAIL_INBOUND_DOMAIN = 'in.example.net';
    fixture = await aProjectWithMailbox();
    project = fixture.project.id;
    answered = await openAndAnswer();
  });
  after(() => {
    fixture.mailbox.close();
    Object.assign(config, { EMAIL_INBOUND_DOMAIN: undefined }, settings);
  });

  it('opens a conversation with channel, subject, text and lead of the mail', async () => {
    const { status, body, text } = await receiveMail(aMail({ From: '"Zoe Zed" <Zoe@Example.org>' }));
    expect(status, text).to.equal(200);
    expect(body.result).to.equal('conversation');
    const { channel, subject, first_text, snapshot } = await conversation(body.request_id);
    expect({ channel, subject, first_text }).to.deep.equal({
      channel: { name: 'email' },
      subject: 'Order',
      first_text: 'Where is my order?',
    });
    expect(snapshot?.lead).to.include({ email: 'zoe@example.org', fullname: 'Zoe Zed' });
  });

  it('conversations of one sender share a lead, which keeps the e-mail that an agent has set', async () => {
    const From = `${randomUUID()}@example.org`;
    const first = (await receiveMail(aMail({ From }))).body;
    const lead = (await conversation(first.request_id)).lead as string;
    await api(fixture.agent).put(`/v3/${project}/leads/${lead}`, { email: 'work@example.org' });
    const second = (await receiveMail(aMail({ From }))).body;
    expect(second.request_id).to.not.equal(first.request_id);
    const { snapshot, ...found } = await conversation(second.request_id);
    expect(found.lead).to.equal(lead);
    expect(snapshot?.lead).to.include({ email: 'work@example.org' });
  });

  describe('a reply', () => {
    it("continues the conversation of the agent's mail that it names, whose headers name the mail of the lead", async () => {
      const { request_id, messageId, inReplyTo } = answered;
      expect(inReplyTo).to.equal('<first@example.org>');
      const { body } = await receiveMail(aReply({ 'In-Reply-To': messageId }));
      expect(body).to.include({ result: 'message', request_id });
      const [first, second, ...others] = await texts(request_id);
      expect([first, second, others.at(-1)]).to.deep.equal(['Where is my order?', 'It is on its way.', 'Thanks']);
    });

    it('continues the conversation of a mail in References, also after the answer to another mail', async () => {
      const { request_id } = answered;
      const references = '<unknown@example.org> <first@example.org>';
      const { body } = await receiveMail(aReply({ 'In-Reply-To': '<unknown@example.org>', References: references }));
      expect(body).to.include({ result: 'message', request_id });
    });

    it('to the signed address continues the conversation whoever sends it, under the name of its sender', async () => {
      const { request_id, replyTo } = answered;
      expect(replyTo).to.match(/^id-[0-9a-f]{24}\+[0-9a-f]{16}@in\.example\.net$/);
      const { body } = await receiveMail(aReply({ From: 'Colleague <c@example.org>', To: replyTo.toUpperCase() }));
      expect(body).to.include({ result: 'message', request_id });
      const message = await Message.findOne({ _id: body.message_id, id_project: project }).lean();
      const { snapshot } = await conversation(request_id);
      const lead = snapshot?.lead as { lead_id: string };
      expect(message).to.include({ sender: lead.lead_id, senderFullname: 'Colleague' });
    });

    it('to the signed address in the envelope continues the conversation', async () => {
      const { request_id, replyTo } = answered;
      for (const envelope of [{ recipient: `a@b.org, ${replyTo}` }, { envelope: JSON.stringify({ to: [replyTo] }) }])
        expect((await receiveMail(aReply({}), envelope)).body).to.include({ result: 'message', request_id });
    });

    it('continues a conversation of a web visitor who got an answer by mail', async () => {
      const opened = await fixture.openConversation({ email: LEAD }, 'chat-1');
      await opened.postMessage(fixture.agent, 'By mail');
      await runJobsOnEvents(project);
      const replyTo = /^Reply-To: (chat-1\+[0-9a-f]{16}@in\.example\.net)\r$/m.exec(await fixture.latest(LEAD))?.[1];
      expect((await receiveMail(aReply({ To: replyTo as string }))).body.request_id).to.equal('chat-1');
      expect(await texts('chat-1')).to.deep.equal(['Where is my order?', 'By mail', 'Thanks']);
    });

    it('reopens a closed conversation', async () => {
      const { request_id, messageId } = answered;
      await api(fixture.agent).put(`/v3/${project}/requests/${request_id}/close`, {});
      await receiveMail(aReply({ 'In-Reply-To': messageId }));
      expect((await conversation(request_id)).status).to.equal(100);
    });

    it('opens a new conversation if somebody else names the Message-ID, or the signature of the address is wrong', async () => {
      const { request_id, messageId, replyTo } = answered;
      const { _id } = await conversation(request_id);
      const foreign = replyAddress({ _id, id_project: '0'.repeat(24), request_id }) as string;
      const spoofed = [
        { From: 'mallory@example.org', 'In-Reply-To': messageId },
        { To: replyTo.replace(/\+./, (two) => `+${two === '+0' ? '1' : '0'}`) },
        { To: `${request_id}@in.example.net` },
        { To: foreign },
        { 'In-Reply-To': '<unknown@localhost>' },
      ];
      const before = await texts(request_id);
      for (const headers of spoofed)
        expect((await receiveMail(aReply(headers))).body.result, JSON.stringify(headers)).to.equal('conversation');
      expect(await texts(request_id)).to.deep.equal(before);
    });

    it('never continues a conversation of another project', async () => {
      const { messageId, replyTo } = answered;
      const other = await aProject();
      const reply = aReply({ To: replyTo, 'In-Reply-To': messageId });
      expect((await receive(other.agent, other.project.id, reply)).body.result).to.equal('conversation');
    });
  });

  it('a mail that arrives again, also at the same time, has no further effect', async () => {
    const mail = aMail();
    const before = await countConversations();
    const replies = await Promise.all([1, 2, 3].map(() => receiveMail(mail)));
    replies.push(await receiveMail(mail));
    expect(replies.map(({ body }) => body.result).toSorted()).to.deep.equal([
      'conversation',
      ...['duplicate', 'duplicate', 'duplicate'],
    ]);
    expect(await countConversations()).to.equal(before + 1);
    expect(await texts(replies[0]?.body.request_id)).to.have.lengthOf(1);
  });

  it('a mail whose receiver was killed before it was recorded is completed by its repetition', async () => {
    const mail = aMail();
    const { request_id } = (await receiveMail(mail)).body;
    await Conversation.db.collection('mail_messages').deleteMany({ request_id });
    expect((await receiveMail(mail)).body).to.include({ result: 'conversation', request_id });
    expect(await texts(request_id)).to.have.lengthOf(1);
  });

  it('a mail without a Message-ID is recognized by its content', async () => {
    const mail = aMail({ 'Message-ID': undefined });
    expect((await receiveMail(mail)).body.result).to.equal('conversation');
    expect((await receiveMail(mail)).body.result).to.equal('duplicate');
  });

  describe('ignores', () => {
    const AUTOMATIC: Record<string, string>[] = [
      { 'Auto-Submitted': 'auto-replied' },
      { 'Auto-Submitted': 'auto-generated; owner-email=x' },
      { Precedence: 'bulk' },
      { Precedence: 'list' },
      { Precedence: 'auto_reply' },
      { 'X-Auto-Response-Suppress': 'All' },
      { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' },
      { 'X-Autoreply': 'yes' },
      { 'Return-Path': '<>' },
      { From: 'MAILER-DAEMON@mx.example.org' },
    ];

    it('automatic mails, which open no conversation, continue none and cause no mail', async () => {
      const { request_id, messageId } = answered;
      const count = async () => ({
        mails: await Mail.countDocuments({ id_project: project }),
        conversations: await countConversations(),
        messages: (await texts(request_id)).length,
      });
      await runJobsOnEvents(project);
      const before = await count();
      for (const headers of AUTOMATIC) {
        const label = JSON.stringify(headers);
        const { body } = await receiveMail(aReply({ 'In-Reply-To': messageId, ...headers }));
        expect(body, label).to.deep.equal({ result: 'ignored', reason: 'automatic' });
      }
      expect((await receiveMail(aMail(), { sender: 'MAILER-DAEMON' })).body.reason).to.equal('automatic');
      await runJobsOnEvents(project);
      expect(await count()).to.deep.equal(before);
    });

    it('not the mails of people whose headers say that they are not automatic', async () => {
      for (const headers of [
        { 'Auto-Submitted': 'no' },
        { 'X-Auto-Response-Suppress': 'DR, NDR' },
        { Precedence: 'normal' },
      ])
        expect((await receiveMail(aMail(headers))).body.result, JSON.stringify(headers)).to.equal('conversation');
    });

    it('mails that this system has sent, or that come from its own addresses', async () => {
      const { messageId } = answered;
      await fixture.set('email.from', 'Shop <shop@example.com>');
      const own = [
        { 'X-TILEDESK-PROJECT-ID': project },
        { 'Message-ID': messageId },
        { From: 'no-reply@localhost' },
        { From: 'Shop@Example.com' },
        { From: 'anything@in.example.net' },
      ];
      for (const headers of own)
        expect((await receiveMail(aMail(headers))).body, JSON.stringify(headers)).to.deep.equal({
          result: 'ignored',
          reason: 'own',
        });
    });

    it('mails of a banned sender', async () => {
      const From = `${randomUUID()}@example.org`;
      const { request_id } = (await receiveMail(aMail({ From }))).body;
      const { snapshot } = await conversation(request_id);
      const lead = snapshot?.lead as { lead_id: string };
      await api(fixture.owner).post(`/v3/projects/${project}/ban`, { id: lead.lead_id });
      expect((await receiveMail(aMail({ From }))).body).to.deep.equal({ result: 'ignored', reason: 'banned' });
    });
  });

  describe('a delivery report', () => {
    const REPORT = { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b', 'Return-Path': '<>' };
    const aReport = ({ id, to, action = 'failed', status = '5.1.1' }: Record<string, string | undefined>) =>
      aMail(
        { From: 'MAILER-DAEMON@mx.example.org', ...REPORT },
        [
          ...['--b', 'Content-Type: text/plain', '', 'Your mail was not delivered.', ''],
          ...['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.org', ''],
          ...[`Final-Recipient: rfc822; ${to}`, `Action: ${action}`, `Status: ${status}`, ''],
          ...['--b', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${id}`, 'Subject: Order', '', '--b--', ''],
        ].join('\r\n'),
      );
    const sendTo = async (to: string) => {
      const path = `/v3/${project}/emails/internal/send`;
      expect((await api(fixture.agent).post(path, { to, text: 'Hello' })).status).to.equal(200);
      await runJobs();
      return /^Message-ID: (.*)\r$/m.exec(await fixture.latest(to))?.[1];
    };
    const blocked = async (): Promise<string[]> =>
      (await api(fixture.agent).get(`/v3/${project}/emails/blocked`)).body.map(
        ({ address }: { address: string }) => address,
      );

    it('about a wrong address stops further mails to it, and opens no conversation', async () => {
      const to = `Gone-${randomUUID()}@example.org`;
      const id = await sendTo(to);
      const before = await countConversations();
      const { body } = await receiveMail(aReport({ id, to: to.toUpperCase() }));
      expect(body).to.deep.equal({ result: 'returned' });
      expect(await blocked()).to.include(to.toLowerCase());
      const again = await api(fixture.agent).post(`/v3/${project}/emails/internal/send`, { to, text: 'Hello' });
      expect({ status: again.status, code: again.body.code }).to.deep.equal({ status: 409, code: 'ADDRESS_BLOCKED' });
      expect(await countConversations()).to.equal(before);
    });

    it('that is forged, or about a delay, a full mailbox or a policy, blocks nothing', async () => {
      const to = `ann-${randomUUID()}@example.org`;
      const id = await sendTo(to);
      const before = await blocked();
      const reports = [
        { id: '<000000000000000000000000@localhost>', to },
        { id, to: 'victim@example.org' },
        { id, to, action: 'delayed', status: '4.4.1' },
        { id, to, status: '5.2.2' },
        { id, to, status: '5.7.1' },
        { id, to, status: '4.4.7' },
      ];
      for (const report of reports) {
        const { body } = await receiveMail(aReport(report));
        expect(['returned', 'ignored'], JSON.stringify(report)).to.include(body.result);
      }
      expect(await blocked()).to.deep.equal(before);
    });
  });

  it('a text that looks like a command or a template is a text', async () => {
    const text = 'See C:\\agent\\close and C:\\close: ${LABEL_PLACEHOLDER}';
    const { request_id } = (await receiveMail(aMail({}, text))).body;
    expect(await texts(request_id)).to.deep.equal([text]);
    expect((await conversation(request_id)).status).to.be.below(1000);
  });

  it('accepts the token that the secret of a subscription signs, as docs/mail.md describes', async () => {
    const subscription = { event: 'event.emit.mail-server', target: 'https://mail.example.com/' };
    const { _id, secret } = (await api(fixture.admin).post(`/v3/${project}/subscriptions`, subscription)).body;
    const audience = `https://tiledesk.com/subscriptions/${_id}`;
    const token = jwt.sign({ _id }, secret, { subject: 'subscription', audience });
    const { body } = await receive({ id: _id, authorization: `JWT ${token}` }, project, aMail());
    expect(body.result).to.equal('conversation');
  });

  it('the transcript of a conversation is not mailed to the sender of a mail, whose address may be forged', async () => {
    await fixture.set('email.autoSendTranscriptToRequester', true);
    const From = `${randomUUID()}@example.org`;
    const { request_id } = (await receiveMail(aMail({ From }))).body;
    await api(fixture.owner).put(`/v3/${project}/requests/${request_id}/close`, { force: true });
    await runJobsOnEvents(project);
    expect(await Mail.countDocuments({ to: From })).to.equal(0);
    expect(await Mail.countDocuments({ to: fixture.owner.email, template: 'sendTranscript' })).to.equal(1);
  });

  it('reads hostile texts in time', async () => {
    const spaces = ' '.repeat(200_000);
    const texts = [
      `a${spaces}b${spaces}:`,
      `${'> '.repeat(50_000)}x`,
      'From: x\n'.repeat(20_000),
      'On 1:00 <a@b.org> wrote:\n'.repeat(20_000),
    ];
    const html = `${'<div>'.repeat(3000)}${'<blockquote>'.repeat(100)}Hello`;
    for (const text of texts) {
      const { status, body } = await receiveMail(aReply({}, text));
      expect(status, JSON.stringify(body)).to.equal(200);
    }
    expect((await receiveMail(aReply({ 'Content-Type': 'text/html' }, html))).status).to.equal(200);
  });

  it('accepts the raw mail in the forms of inbound mail services: multipart, URL-encoded and JSON', async () => {
    const { replyTo, request_id } = answered;
    const url = `${await anApi()}/v3/${project}/emails/inbound`;
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
      form('email', { envelope: JSON.stringify({ to: [replyTo], from: LEAD }) }),
      form('body-mime', { recipient: replyTo, sender: LEAD }),
      { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } },
      { body: encoded.toString(), headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } },
    ];
    for (const each of calls) {
      const { status, body, text } = await call('POST', url, each);
      expect({ status, ...body }, text).to.include({ status: 200, result: 'message', request_id });
    }
    expect((await texts(request_id)).slice(-4)).to.deep.equal([
      'As email: grüße',
      'As body-mime: grüße',
      'As JSON: grüße',
      'URL-encoded: grüße',
    ]);
  });

  it('returns 422 or 413 with a code for a body without a mail, a mail without a sender, and too large ones', async () => {
    const url = `${await anApi()}/v3/${project}/emails/inbound`;
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
      const reply = await receiveMail(aMail({ From: from }));
      expect(reply.body.code, from).to.equal('MAIL_WITHOUT_SENDER');
    }
    const large = await receiveMail(Buffer.alloc(config.INBOUND_MAIL_MAX_BYTES + 1, 'x'));
    expect(large.status).to.equal(413);
    const deep = Array.from({ length: 400 }, () => '--b\r\nContent-Type: text/plain\r\n\r\nx').join('\r\n');
    const parts = await receiveMail(aMail({ 'Content-Type': 'multipart/mixed; boundary=b' }, deep));
    expect({ status: parts.status, code: parts.body.code }).to.deep.equal({ status: 422, code: 'MAIL_MALFORMED' });
  });
});
