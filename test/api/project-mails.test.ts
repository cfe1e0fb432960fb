/** A project's own SMTP server, sender, subjects and templates. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { hasOwnServer } from '#shared/domain/mails/sender-settings.ts';
import { Mail } from '#shared/models/mail.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';
import { runJobs, runJobsOnEvents } from '../support/run-jobs.ts';
import { anSmtpServer, SMTP_PASSWORD, SMTP_USER } from '../support/smtp-server.ts';

const anAddress = () => `${randomUUID()}@example.org`;

describe('Emails of a project', () => {
  let fixture: ProjectWithMailbox;
  let server: Awaited<ReturnType<typeof anSmtpServer>>;
  const settings = { ...config };

  before(async () => {
    server = await anSmtpServer({
      reject: (address) => (address.startsWith('gone') ? { code: 550, text: '5.1.1 no such user' } : undefined),
    });
  });
  beforeEach(async () => {
    fixture = await aProjectWithMailbox();
  });
  afterEach(() => {
    fixture.mailbox.close();
    Object.assign(config, settings);
  });

  const change = async (changes: object) => api(fixture.owner).put(`/v3/projects/${fixture.project.id}`, changes);
  const setEmail = async (email: object) => {
    const { status, text } = await change({ settings: { email } });
    expect(status, text).to.equal(200);
  };
  const send = (to: string, more = {}) =>
    api(fixture.agent).post(`/v3/${fixture.project.id}/emails/internal/send`, {
      to,
      subject: 'Hi',
      text: 'Hello',
      ...more,
    });
  const sendAndReceive = async (to: string, more = {}) => {
    expect((await send(to, more)).body).to.deep.equal({ queued: true });
    await runJobs();
    return server.to(to);
  };
  const makeDue = async () => {
    await Mail.updateMany(
      { id_project: fixture.project.id, dueAt: { $exists: true } },
      { $set: { dueAt: new Date(0) } },
    );
    await Mail.db.collection('mail_circuits').updateMany({}, { $set: { retryAt: new Date(0) } });
    await enqueue('maintenance.sweep-mails', {});
    await runJobs();
  };

  it("emails are sent through the project's own SMTP server with its password, and from the project's own sender", async () => {
    await setEmail({ ...server.settings, from: 'Shop <shop@example.com>' });
    const to = anAddress();
    const [received] = await sendAndReceive(to);
    expect(received?.user).to.equal(SMTP_USER);
    expect(received?.from).to.equal('shop@example.com');
    expect(received?.mail.from?.text).to.equal('"Shop" <shop@example.com>');
    expect(received?.mail.headers.get('x-tiledesk-project-id')).to.equal(fixture.project.id);
    expect(await fixture.mailbox.mailsTo(to)).to.deep.equal([]);
  });

  it("a host that consists of spaces does not count as an SMTP server of the project's own", async () => {
    await setEmail({ config: { host: '  ' } });
    expect(await hasOwnServer(fixture.project.id)).to.equal(false);
    await setEmail(server.settings);
    expect(await hasOwnServer(fixture.project.id)).to.equal(true);
  });

  it("a project's sender address is the Reply-To of emails sent through the instance's SMTP server, unless its domain is trusted", async () => {
    await setEmail({ from: 'Shop <shop@example.com>' });
    const [one, two] = [anAddress(), anAddress()];
    await send(one);
    const first = (await fixture.mailbox.mailsTo(one))[0];
    expect(first?.from).to.equal('no-reply@localhost');
    expect(first?.text)
      .to.match(/^From: Shop <no-reply@localhost>/m)
      .and.match(/^Reply-To: shop@example.com/m);
    config.MAIL_SENDER_DOMAINS = ['example.com'];
    await send(two);
    expect((await fixture.mailbox.mailsTo(two))[0]?.from).to.equal('shop@example.com');
  });

  it('emails are not sent to an SMTP server at a private address unless FETCH_ALLOW contains it, and owners and admins are notified once a day', async () => {
    await setEmail(server.settings);
    config.FETCH_ALLOW = [];
    await send(anAddress());
    const { owner, admin, agent, project } = fixture;
    for (const { email } of [owner, admin]) {
      const mails = await fixture.mailbox.mailsTo(email);
      expect(mails.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1])).to.deep.equal([
        'The mail server of Project is failing',
      ]);
      expect(mails[0]?.text).to.include('ETARGET').and.not.include(SMTP_PASSWORD);
    }
    expect(await fixture.mailbox.mailsTo(agent.email)).to.deep.equal([]);
    await makeDue();
    expect(await fixture.mailbox.mailsTo(owner.email)).to.have.lengthOf(1);
    const { body } = await api(owner).get(`/v3/${project.id}/activities?activities=PROJECT_SMTP_FAILED`);
    expect(body.activities.map(({ actionObj }: { actionObj: object }) => actionObj)).to.deep.equal([
      { error: 'ETARGET', failures: 1 },
    ]);
  });

  it('emails wait while the SMTP server of the project fails, and are sent when an admin changes its settings', async () => {
    const broken = { config: { host: '127.0.0.1', port: 1, user: SMTP_USER, pass: 'wrong' } };
    await setEmail(broken);
    const addresses = Array.from({ length: 6 }, anAddress);
    for (const to of addresses) await send(to);
    await runJobs();
    const attempts = await Mail.find({ to: { $in: addresses } }, { attemptsMade: 1, isWaiting: 1 }).lean();
    expect(attempts.every(({ isWaiting }) => isWaiting)).to.equal(true);
    expect(attempts.reduce((sum, { attemptsMade }) => sum + attemptsMade, 0)).to.be.at.most(4);
    await setEmail(server.settings);
    await runJobs();
    expect(addresses.map((to) => server.to(to).length)).to.deep.equal(addresses.map(() => 1));
  });

  it('if the SMTP server rejects the sender of an email, the address of the recipient is not blocked', async () => {
    await setEmail({ ...server.settings, from: 'gone@example.org' });
    const to = anAddress();
    expect(await sendAndReceive(to)).to.deep.equal([]);
    expect((await api(fixture.agent).get(`/v3/${fixture.project.id}/emails/blocked`)).body).to.deep.equal([]);
  });

  it('sending an email to an address that the SMTP server has rejected returns 409 until an agent lifts the block', async () => {
    await setEmail(server.settings);
    const to = `gone-${randomUUID()}@example.org`;
    const path = `/v3/${fixture.project.id}/emails/blocked`;
    expect(await sendAndReceive(to)).to.deep.equal([]);
    const { status, body } = await send(to);
    expect({ status, code: body.code }).to.deep.equal({ status: 409, code: 'ADDRESS_BLOCKED' });
    const blocked = (await api(fixture.agent).get(path)).body;
    expect(blocked).to.have.lengthOf(1);
    expect(blocked[0]).to.include({ address: to, reason: 'EENVELOPE 550' });
    const activities = await api(fixture.owner).get(
      `/v3/${fixture.project.id}/activities?activities=EMAIL_ADDRESS_BLOCKED`,
    );
    expect(activities.body.activities).to.have.lengthOf(1);
    expect((await api(fixture.agent).delete(`${path}/${blocked[0]._id}`)).status).to.equal(200);
    expect((await send(to)).status).to.equal(200);
  });

  it("emails are rendered with the project's own templates and subjects, and texts from visitors are escaped in HTML", async () => {
    await change({
      'settings.email.templates.ticket':
        '<p>{{#if request}}{{request.lead.fullname}}: {{{message.text}}}{{/if}}</p><p>{{{msgText}}}</p>{{constructor}}',
      'settings.email.templates.ticketSubject': '{{project.name}} [{{request.ticket_id}}] {{{request.subject}}}',
    });
    const opened = await fixture.openConversation({
      channel: { name: 'email' },
      subject: 'Shoes & <b>more</b>',
      senderFullname: '<i>Vera</i>',
    });
    await opened.postMessage(fixture.agent, '<script>1</script>\nsecond line');
    await runJobsOnEvents(fixture.project.id);
    const text = await fixture.latest(opened.lead);
    expect(text).to.match(/^Subject: Project \[1\] Shoes & <b>more<\/b>/m);
    expect(text).to.include('<p>&lt;i&gt;Vera&lt;/i&gt;: &lt;script&gt;1&lt;/script&gt;');
    expect(text).to.include('<p>&lt;script&gt;1&lt;/script&gt;<br>');
  });

  it('an invalid template, or a sender without an email address, is refused with a 422 error that names the setting', async () => {
    const invalid: [string, unknown][] = [
      ['settings.email.templates.ticket', '{{#if request}}no end'],
      ['settings.email.templates.ticket', '{{> partial}}'],
      ['settings.email.templates.ticket', '{{lookup request "x"}}'],
      ['settings.email.templates.ticket', { name: 'x' }],
      ['settings.email.templates.ticketSubject', '{{'],
      ['settings.email.from', 'nobody'],
    ];
    for (const [name, value] of invalid) {
      const { status, body } = await change({ [name]: value });
      expect({ status, path: body.errors?.[0]?.path }, JSON.stringify(value)).to.deep.equal({
        status: 422,
        path: name,
      });
    }
    const nested = await change({ settings: { email: { templates: { ticket: '{{#each}}' } } } });
    expect(nested.body.errors[0].path).to.equal('settings.email.templates.ticket');
  });

  it('sending an email returns 429 when PROJECT_MAILS_PER_DAY is used up', async () => {
    config.PROJECT_MAILS_PER_DAY = 1;
    expect((await send(anAddress())).status).to.equal(200);
    const { status, body, headers } = await send(anAddress());
    expect({ status, code: body.code }).to.deep.equal({ status: 429, code: 'MAIL_BUDGET_EXHAUSTED' });
    expect(body.error).to.include('PROJECT_MAILS_PER_DAY');
    expect(Number(headers['retry-after'])).to.be.greaterThan(0);
  });

  describe('POST /v3/:project_id/emails/test/send', () => {
    const test = (body: object, caller: Parameters<typeof api>[0] = fixture.agent) =>
      api(caller).post(`/v3/${fixture.project.id}/emails/test/send`, body);

    it('returns the reply from the given SMTP server, or its error', async () => {
      const to = anAddress();
      const good = await test({ to, config: server.settings.config });
      expect(good.body.error).to.equal(null);
      expect(good.body.response).to.deep.include({ accepted: [to], rejected: [] });
      expect(server.to(to)).to.have.lengthOf(1);
      const bad = await test({ to, config: { ...server.settings.config, pass: 'wrong' } });
      expect(bad.body.response).to.equal(null);
      expect(bad.body.error).to.include({ code: 'EAUTH', responseCode: 535 });
    });

    it('uses the stored server and password if `config` is absent, and never the stored password for another server', async () => {
      expect((await test({ to: anAddress() })).status).to.equal(422);
      await setEmail(server.settings);
      const bot = await aBot(fixture.project.id);
      expect((await test({ to: anAddress() }, bot)).body.error).to.equal(null);
      const other = await anSmtpServer();
      const { body } = await test({
        to: anAddress(),
        config: { host: '127.0.0.1', port: other.port, user: SMTP_USER },
      });
      expect(body.error).to.include({ code: 'EAUTH' });
    });
  });

  it('GET /v3/:project_id/emails/templates/:key returns a valid template for every key, and 404 for an unknown key', async () => {
    const path = `/v3/${fixture.project.id}/emails/templates`;
    for (const key of ['assignedRequest', 'pooledRequest', 'ticket', 'newMessage', 'sendTranscript', 'emailDirect']) {
      const { body } = await api(fixture.agent).get(`${path}/${key}`);
      expect(body.template).to.include('{{');
      expect((await change({ [`settings.email.templates.${key}`]: body.template })).status).to.equal(200);
    }
    expect((await api(fixture.agent).get(`${path}/constructor`)).status).to.equal(404);
  });
});
