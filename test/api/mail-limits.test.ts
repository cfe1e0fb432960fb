/** Limits that keep an instance from being used as a mail relay: who may send emails, to whom, and how many. */
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Mail } from '#shared/models/mail.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aPerson } from '../support/people.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';
import { runJobs } from '../support/run-jobs.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from '../support/tokens.ts';

const anEmail = () => `${randomUUID()}@example.com`;

describe('Email limits', () => {
  let fixture: ProjectWithMailbox;
  const settings = { ...config };

  beforeEach(async () => {
    fixture = await aProjectWithMailbox();
  });
  afterEach(() => {
    fixture.mailbox.close();
    config.PROJECT_MAILS_PER_HOUR = settings.PROJECT_MAILS_PER_HOUR;
    config.PROJECT_MAILS_PER_DAY = settings.PROJECT_MAILS_PER_DAY;
  });

  const unverify = (...people: { id: string }[]) =>
    User.updateMany({ _id: { $in: people.map(({ id }) => id) } }, { $set: { emailverified: false } });

  const sendMail = (caller: Caller, to: string, more = {}) =>
    api(caller).post(`/v3/${fixture.project.id}/emails/internal/send`, {
      to,
      subject: 'Hello',
      text: 'Hello',
      ...more,
    });

  const invite = (email: string, path = 'project_users/invite') =>
    api(fixture.owner).post(`/v3/${fixture.project.id}/${path}`, { email, role: 'agent' });

  /**
   * Records that the project has sent `count` emails with the template to the address, in this hour and also in the
   * next one, in which the test may end.
   */
  const spendMailBudget = (count: number, template: string, to: string) => {
    const hour = Math.floor(Date.now() / 3_600_000);
    const own = { id_project: fixture.project.id, name: `mails ${template} ${to}`, spent: count };
    const periods = [hour, hour + 1].map((each) => new Date(each * 3_600_000));
    const expiresAt = new Date((hour + 2) * 3_600_000);
    return Mail.db.collection('budgets').insertMany(periods.map((period) => ({ ...own, period, expiresAt })));
  };

  describe('Emails that teammates and bots send', () => {
    it('an email over SMTP to any address or to a lead is refused (403) if the address of the sending account is unverified', async () => {
      await unverify(fixture.agent);
      const { one, lead } = await fixture.openConversation();
      const to = anEmail();
      for (const answer of [
        await sendMail(fixture.agent, to),
        await api(fixture.agent).post(`${one}/email/send`, { text: 'Hi' }),
      ]) {
        expect(answer.status).to.equal(403);
        expect(answer.body).to.include({ success: false, code: 'EMAIL_UNVERIFIED' });
        expect(answer.body.error).to.include('verify the email address');
      }
      expect([await fixture.subjects(to), await fixture.subjects(lead)]).to.deep.equal([[], []]);
    });

    it('an email over SMTP from a bot is refused (403) while no owner of its project has a verified address', async () => {
      await unverify(fixture.owner);
      expect((await sendMail(await aBot(fixture.project.id), anEmail())).body).to.include({ code: 'EMAIL_UNVERIFIED' });
      const { id } = (await aProjectWithMailbox()).project;
      const bot = await aBot(id);
      const { status } = await api(bot).post(`/v3/${id}/emails/internal/send`, { to: anEmail(), text: 'Hello' });
      expect(status).to.equal(200);
    });

    it('without a mail server, emails from an unverified account go to the outbox folder, and never to a server that is set later', async () => {
      await unverify(fixture.agent);
      const to = anEmail();
      const server = config.SMTP_URL;
      config.SMTP_URL = undefined;
      expect((await sendMail(fixture.agent, to)).status).to.equal(200);
      config.SMTP_URL = server;
      expect(await fixture.subjects(to)).to.deep.equal([]);
      const { _id, sentAt } = await Mail.findOne({ to }).orFail().lean();
      expect(sentAt).to.be.instanceOf(Date);
      await access(join(config.DATA_DIR, 'outbox', `${String(_id)}.eml`));
    });

    it('sending an email returns 429 with Retry-After when PROJECT_MAILS_PER_HOUR is used up, even in concurrent calls', async () => {
      config.PROJECT_MAILS_PER_HOUR = 3;
      const people = Array.from({ length: 8 }, anEmail);
      const answers = await Promise.all(people.map((to) => sendMail(fixture.agent, to)));
      expect(answers.filter(({ status }) => status === 200)).to.have.lengthOf(3);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).to.have.lengthOf(5);
      for (const { body, headers } of refused) {
        expect(body).to.include({ code: 'MAIL_BUDGET_EXHAUSTED' });
        expect(body.error).to.include('PROJECT_MAILS_PER_HOUR');
        expect(body.retry_after).to.be.within(1, 3600);
        expect(Number(headers['retry-after'])).to.equal(body.retry_after);
      }
      await runJobs();
      const sent = await Promise.all(people.map((to) => fixture.subjects(to)));
      expect(sent.flat()).to.have.lengthOf(3);
    });

    it('an email to a group is sent to none of its members when the remaining email budget is too small for all', async () => {
      config.PROJECT_MAILS_PER_HOUR = 2;
      const { owner, admin, agent, project } = fixture;
      await api(owner).post(`/v3/${project.id}/groups`, { name: 'All', members: [owner.id, admin.id, agent.id] });
      expect((await sendMail(agent, 'All')).status).to.equal(429);
      for (const { email } of [owner, admin, agent]) expect(await fixture.subjects(email)).to.deep.equal([]);
    });

    it('inviting a teammate returns 429 when the email budget of the project is used up', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      expect((await sendMail(fixture.agent, anEmail())).status).to.equal(200);
      const answer = await invite(anEmail());
      expect(answer.status).to.equal(429);
      expect(answer.body).to.include({ code: 'MAIL_BUDGET_EXHAUSTED' });
    });

    it('an invitation that is refused with 409 does not use the email budget of the project', async () => {
      config.PROJECT_MAILS_PER_HOUR = 4;
      const create = (email: string) => invite(email, 'pendinginvitations');
      const [member, invited, moved] = [(await aPerson({ emailverified: true })).email, anEmail(), anEmail()];
      for (const email of [member, invited]) expect((await invite(email)).status).to.equal(200);
      const { _id } = (await invite(moved)).body;
      const refused = [await invite(member), await create(member), await invite(invited), await create(invited)];
      const path = `/v3/${fixture.project.id}/pendinginvitations/${_id}`;
      refused.push(await api(fixture.owner).put(path, { email: invited, role: 'agent' }));
      expect(refused.map(({ status }) => status)).to.deep.equal(refused.map(() => 409));
      expect((await invite(anEmail())).status).to.equal(200);
      expect((await invite(anEmail())).status).to.equal(429);
    });

    it('emails from one project do not use the email budget of another project', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      const other = await aProjectWithMailbox();
      for (const status of [200, 429]) expect((await sendMail(fixture.agent, anEmail())).status).to.equal(status);
      const path = `/v3/${other.project.id}/emails/internal/send`;
      expect((await api(other.agent).post(path, { to: anEmail(), text: 'Hello' })).status).to.equal(200);
    });
  });

  describe('Notification emails', () => {
    it('notification emails are dropped when PROJECT_MAILS_PER_HOUR is used up, and their records contain the reason', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      await sendMail(fixture.agent, anEmail());
      await fixture.openConversation();
      const { email } = fixture.agent;
      expect(await fixture.subjects(email)).to.deep.equal([]);
      const dropped = await Mail.find({ to: email, template: 'assignedRequest' }).lean();
      expect(dropped.map(({ failure, dueAt, sentAt }) => ({ failure, dueAt, sentAt }))).to.deep.equal([
        { failure: 'PROJECT_MAILS_PER_HOUR', dueAt: undefined, sentAt: undefined },
      ]);
    });

    it('notification emails that are dropped because PROJECT_MAILS_PER_HOUR is used up do not count towards PROJECT_MAILS_PER_DAY', async () => {
      Object.assign(config, { PROJECT_MAILS_PER_HOUR: 1, PROJECT_MAILS_PER_DAY: 2 });
      expect((await sendMail(fixture.agent, anEmail())).status).to.equal(200);
      await Promise.all([1, 2, 3].map(() => fixture.openConversation()));
      expect(await fixture.subjects(fixture.agent.email)).to.deep.equal([]);
      config.PROJECT_MAILS_PER_HOUR = 100;
      for (const status of [200, 429]) expect((await sendMail(fixture.agent, anEmail())).status).to.equal(status);
    });

    for (const [kind, template] of [
      ['assigned', 'assignedRequest'],
      ['waiting', 'pooledRequest'],
    ] as const)
      it(`a teammate receives at most 30 emails per hour about ${kind} conversations, even if visitors open more than 30`, async () => {
        if (kind === 'waiting') await fixture.setAvailable(false);
        await spendMailBudget(28, template, fixture.agent.email);
        await Promise.all([1, 2, 3, 4].map(() => fixture.openConversation()));
        await fixture.subjects(fixture.agent.email);
        expect(await Mail.countDocuments({ to: fixture.agent.email, template })).to.equal(2);
      });

    it("a teammate's reply is emailed to the lead over SMTP only if the teammate has a verified address", async () => {
      await unverify(fixture.agent);
      const { postMessage, lead } = await fixture.openConversation({ channel: { name: 'email' } });
      await postMessage(fixture.agent, 'Buy now');
      expect(await fixture.subjects(lead)).to.deep.equal([]);
      await postMessage(fixture.admin, 'On its way');
      expect(await fixture.subjects(lead)).to.have.lengthOf(1);
    });
  });

  describe('Transcript emails', () => {
    beforeEach(() => fixture.set('email', { autoSendTranscriptToRequester: true }));

    const close = (one: string) => api(fixture.agent).put(`${one}/close`, {});
    const transcriptsTo = async (to: string) =>
      (await fixture.subjects(to)).filter((subject) => subject.includes('Transcript'));

    it('a transcript is not emailed to an address that an anonymous visitor entered', async () => {
      const { one, lead } = await fixture.openConversation();
      await close(one);
      expect(await transcriptsTo(lead)).to.deep.equal([]);
      expect(await transcriptsTo(fixture.owner.email)).to.have.lengthOf(1);
    });

    it('a transcript is emailed to the address in a custom token, not to another address that the user enters', async () => {
      const secret = await aProjectKey(fixture.project.id);
      const openByMessage = async (email: string, typed?: string) => {
        const claims = customClaims(fixture.project.id, { email });
        const user = withToken(forgeToken(claims, { secret }), claims._id);
        await api(user).post('/v3/auth/signinWithCustomToken', {});
        const one = `${fixture.root}/support-group-${randomUUID()}`;
        const message = { text: 'Hello', ...(typed && { email: typed }) };
        expect((await api(user).post(`${one}/messages`, message)).status).to.equal(200);
        await close(one);
      };
      const [own, typed] = [anEmail(), anEmail()];
      await openByMessage(own);
      await openByMessage(anEmail(), typed);
      expect(await transcriptsTo(own)).to.have.lengthOf(1);
      expect(await transcriptsTo(typed)).to.deep.equal([]);
    });

    it("a transcript is emailed to a lead's address after a teammate has set it", async () => {
      const { one, lead, request } = await fixture.openConversation();
      const path = `/v3/${fixture.project.id}/leads/${request.lead._id}`;
      expect((await api(fixture.agent).put(path, { email: lead })).status).to.equal(200);
      await close(one);
      expect(await transcriptsTo(lead)).to.have.lengthOf(1);
    });

    it('a transcript is emailed to no lead while no owner or admin of the project has a verified address', async () => {
      const { one, lead, request } = await fixture.openConversation();
      await api(fixture.agent).put(`/v3/${fixture.project.id}/leads/${request.lead._id}`, { email: lead });
      await unverify(fixture.owner, fixture.admin);
      await close(one);
      expect(await transcriptsTo(lead)).to.deep.equal([]);
    });

    it('one address receives at most 30 transcripts per hour', async () => {
      await spendMailBudget(29, 'sendTranscript', fixture.owner.email);
      await Promise.all([1, 2, 3].map(async () => close((await fixture.openConversation()).one)));
      expect(await transcriptsTo(fixture.owner.email)).to.have.lengthOf(1);
    });
  });
});
