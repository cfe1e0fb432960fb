/** What keeps an instance from being a mail relay: who may write mails, to whom, and how many. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { Mail } from '#shared/models/mail.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aMailedProject, type Mailed } from '../support/mailed.ts';
import { runJobs } from '../support/run-jobs.ts';
import { aKey, bearing, customClaims, forged } from '../support/tokens.ts';

const someone = () => `${randomUUID()}@example.com`;

describe('Limits of mails', () => {
  let world: Mailed;
  const settings = { ...config };

  beforeEach(async () => {
    world = await aMailedProject();
  });
  afterEach(() => {
    world.mailbox.close();
    config.PROJECT_MAILS_PER_HOUR = settings.PROJECT_MAILS_PER_HOUR;
  });

  const unverify = (...people: { id: string }[]) =>
    User.updateMany({ _id: { $in: people.map(({ id }) => id) } }, { $set: { emailverified: false } });

  const write = (by: Caller, to: string, more = {}) =>
    api(by).post(`/v3/${world.project.id}/emails/internal/send`, { to, subject: 'Hello', text: 'Hello', ...more });

  /** As if the project had sent so many such mails to somebody, in this hour and in the next. */
  const received = (count: number, template: string, to: string) => {
    const hour = Math.floor(Date.now() / 3_600_000);
    const own = { id_project: world.project.id, name: `mails ${template} ${to}`, spent: count };
    const periods = [hour, hour + 1].map((each) => new Date(each * 3_600_000));
    const expires = new Date((hour + 2) * 3_600_000);
    return Mail.db.collection('budgets').insertMany(periods.map((period) => ({ ...own, period, expires })));
  };

  describe('by hand', () => {
    it('refuse an account with an unverified address over SMTP, to any address and to a lead', async () => {
      await unverify(world.agent);
      const { one, lead } = await world.begun();
      const to = someone();
      for (const answer of [
        await write(world.agent, to),
        await api(world.agent).post(`${one}/email/send`, { text: 'Hi' }),
      ]) {
        expect(answer.status).to.equal(403);
        expect(answer.body).to.include({ success: false, code: 'UNVERIFIED' });
        expect(answer.body.error).to.include('verify the e-mail address');
      }
      expect([await world.subjects(to), await world.subjects(lead)]).to.deep.equal([[], []]);
    });

    it('refuse a bot over SMTP while no owner of its project has a verified address', async () => {
      await unverify(world.owner);
      expect((await write(await aBot(world.project.id), someone())).body).to.include({ code: 'UNVERIFIED' });
      const { id } = (await aMailedProject()).project;
      const bot = await aBot(id);
      const { status } = await api(bot).post(`/v3/${id}/emails/internal/send`, { to: someone(), text: 'Hello' });
      expect(status).to.equal(200);
    });

    it('of an unverified account go to the outbox folder without a mail server, and never to a server set later', async () => {
      await unverify(world.agent);
      const to = someone();
      const server = config.SMTP_URL;
      config.SMTP_URL = undefined;
      expect((await write(world.agent, to)).status).to.equal(200);
      config.SMTP_URL = server;
      expect(await world.subjects(to)).to.deep.equal([]);
      const { _id, sentAt } = await Mail.findOne({ to }).orFail().lean();
      expect(sentAt).to.be.instanceOf(Date);
      await access(join(config.DATA_DIR, 'outbox', `${String(_id)}.eml`));
    });

    it('end with 429 and Retry-After when PROJECT_MAILS_PER_HOUR is spent, also in concurrent calls', async () => {
      config.PROJECT_MAILS_PER_HOUR = 3;
      const people = Array.from({ length: 8 }, someone);
      const answers = await Promise.all(people.map((to) => write(world.agent, to)));
      expect(answers.filter(({ status }) => status === 200)).to.have.lengthOf(3);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).to.have.lengthOf(5);
      for (const { body, headers } of refused) {
        expect(body).to.include({ code: 'MAILS_SPENT' });
        expect(body.error).to.include('PROJECT_MAILS_PER_HOUR');
        expect(body.retry_after).to.be.within(1, 3600);
        expect(Number(headers['retry-after'])).to.equal(body.retry_after);
      }
      await runJobs();
      const sent = await Promise.all(people.map((to) => world.subjects(to)));
      expect(sent.flat()).to.have.lengthOf(3);
    });

    it('to a group are all written or none when the rest of the budget is too small', async () => {
      config.PROJECT_MAILS_PER_HOUR = 2;
      const { owner, admin, agent, project } = world;
      await api(owner).post(`/v3/${project.id}/groups`, { name: 'All', members: [owner.id, admin.id, agent.id] });
      expect((await write(agent, 'All')).status).to.equal(429);
      for (const { email } of [owner, admin, agent]) expect(await world.subjects(email)).to.deep.equal([]);
    });

    it('include invitations: they end with 429 when the budget is spent', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      const { owner, agent, project } = world;
      expect((await write(agent, someone())).status).to.equal(200);
      const answer = await api(owner).post(`/v3/${project.id}/project_users/invite`, {
        email: someone(),
        role: 'agent',
      });
      expect(answer.status).to.equal(429);
      expect(answer.body).to.include({ code: 'MAILS_SPENT' });
    });

    it('of one project leave the budget of another one alone', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      const other = await aMailedProject();
      for (const status of [200, 429]) expect((await write(world.agent, someone())).status).to.equal(status);
      const path = `/v3/${other.project.id}/emails/internal/send`;
      expect((await api(other.agent).post(path, { to: someone(), text: 'Hello' })).status).to.equal(200);
    });
  });

  describe('on conversations', () => {
    it('are dropped when PROJECT_MAILS_PER_HOUR is spent, and a record of each says so', async () => {
      config.PROJECT_MAILS_PER_HOUR = 1;
      await write(world.agent, someone());
      await world.begun();
      const { email } = world.agent;
      expect(await world.subjects(email)).to.deep.equal([]);
      const dropped = await Mail.find({ to: email, template: 'assignedRequest' }).lean();
      expect(dropped.map(({ failure, due, sentAt }) => ({ failure, due, sentAt }))).to.deep.equal([
        { failure: 'PROJECT_MAILS_PER_HOUR', due: undefined, sentAt: undefined },
      ]);
    });

    for (const [what, template] of [
      ['assigned', 'assignedRequest'],
      ['waiting', 'pooledRequest'],
    ] as const)
      it(`write to a teammate at most 30 times an hour of ${what} conversations, however many a guest opens`, async () => {
        if (what === 'waiting') await world.available(false);
        await received(28, template, world.agent.email);
        await Promise.all([1, 2, 3, 4].map(() => world.begun()));
        await world.subjects(world.agent.email);
        expect(await Mail.countDocuments({ to: world.agent.email, template })).to.equal(2);
      });

    it('take a reply to a lead only from a teammate with a verified address over SMTP', async () => {
      await unverify(world.agent);
      const { say, lead } = await world.begun({ channel: { name: 'email' } });
      await say(world.agent, 'Buy now');
      expect(await world.subjects(lead)).to.deep.equal([]);
      await say(world.admin, 'On its way');
      expect(await world.subjects(lead)).to.have.lengthOf(1);
    });
  });

  describe('transcripts', () => {
    beforeEach(() => world.set('email', { autoSendTranscriptToRequester: true }));

    const close = (one: string) => api(world.agent).put(`${one}/close`, {});
    const transcripts = async (to: string) =>
      (await world.subjects(to)).filter((subject) => subject.includes('What was said'));

    it('do not go to an address that an anonymous visitor typed', async () => {
      const { one, lead } = await world.begun();
      await close(one);
      expect(await transcripts(lead)).to.deep.equal([]);
      expect(await transcripts(world.owner.email)).to.have.lengthOf(1);
    });

    it("go to the address of an integrator's own user, not to another one that the user types", async () => {
      const secret = await aKey(world.project.id);
      const begin = async (email: string, typed?: string) => {
        const claims = customClaims(world.project.id, { email });
        const user = bearing(forged(claims, { secret }), claims._id);
        await api(user).post('/v3/auth/signinWithCustomToken', {});
        const one = `${world.root}/support-group-${randomUUID()}`;
        const said = { text: 'Hello', ...(typed && { email: typed }) };
        expect((await api(user).post(`${one}/messages`, said)).status).to.equal(200);
        await close(one);
      };
      const [own, typed] = [someone(), someone()];
      await begin(own);
      await begin(someone(), typed);
      expect(await transcripts(own)).to.have.lengthOf(1);
      expect(await transcripts(typed)).to.deep.equal([]);
    });

    it('go to an address that a teammate confirms by setting it', async () => {
      const { one, lead, request } = await world.begun();
      const path = `/v3/${world.project.id}/leads/${request.lead._id}`;
      expect((await api(world.agent).put(path, { email: lead })).status).to.equal(200);
      await close(one);
      expect(await transcripts(lead)).to.have.lengthOf(1);
    });

    it('go to no lead while no owner or admin of the project has a verified address', async () => {
      const { one, lead, request } = await world.begun();
      await api(world.agent).put(`/v3/${world.project.id}/leads/${request.lead._id}`, { email: lead });
      await unverify(world.owner, world.admin);
      await close(one);
      expect(await transcripts(lead)).to.deep.equal([]);
    });

    it('reach one address at most 30 times an hour', async () => {
      await received(29, 'sendTranscript', world.owner.email);
      await Promise.all([1, 2, 3].map(async () => close((await world.begun()).one)));
      expect(await transcripts(world.owner.email)).to.have.lengthOf(1);
    });
  });
});
