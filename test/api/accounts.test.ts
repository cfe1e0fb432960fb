import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import { AccountKey } from '#shared/models/account-key.ts';
import { Mail } from '#shared/models/mail.ts';
import { api } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { anOperator, aPerson, aProject, PASSWORD } from '../support/people.ts';
import { anAccount, aSession, basic, isOut, signIn, statusOf } from '../support/sessions.ts';

const NEW = 'another long one';
const MINUTE_MS = 60_000;

/** As if the time of an account's keys had passed. */
const expire = (id: string) => AccountKey.updateMany({ id_user: id }, { $set: { expiresAt: new Date() } });

describe('Accounts', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  before(async () => {
    mailbox = await aMailbox();
  });
  after(() => mailbox.close());

  const signUp = async (more: object = {}) => {
    const account = anAccount(more);
    const { status, body } = await api().post('/v3/auth/signup', account);
    return { status, body, email: account.email, id: body.user?._id as string };
  };
  const verify = (id: string, code: string) =>
    api().put(`/v3/auth/verifyemail/${id}/${code}`, { password: PASSWORD, status: 0, email: 'other@example.com' });
  const askReset = (email: string) => api().put('/v3/auth/requestresetpsw', { email });
  const reset = (key: string, password = NEW) => api().put(`/v3/auth/resetpsw/${key}`, { password });

  describe('are asked for their address', () => {
    it('which the code of the mail confirms once, and nothing else of the body does', async () => {
      const { id, email } = await signUp();
      const code = await mailbox.keyTo(email);
      const { status, body } = await verify(id, code);
      expect({ status, ...body }).to.include({ status: 100, emailverified: true, email });
      expect((await verify(id, code)).body).to.include({ success: false, error_code: 10_005 });
    });

    it('by a code that expires, is for one account, and can be sent again', async () => {
      const [one, other] = await Promise.all([signUp(), signUp()]);
      const code = await mailbox.keyTo(one.email);
      const wrong = await verify(other.id, code);
      expect([wrong.status, wrong.body.error_code]).to.deep.equal([401, 10_006]);
      await expire(one.id);
      expect((await verify(one.id, code)).body.error_code).to.equal(10_005);
      expect((await verify('0'.repeat(24), code)).body.error_code).to.equal(10_001);
      const caller = { id: one.id, authorization: (await signIn(one.email)).body.token };
      expect((await api(caller).get('/v3/users/resendverifyemail')).status).to.equal(200);
      expect((await verify(one.id, await mailbox.keyTo(one.email))).body.emailverified).to.equal(true);
    });

    it('but not those who ask for no mail, nor more often than anybody needs', async () => {
      const { email } = await signUp({ disableEmail: true });
      expect(await mailbox.to(email)).to.deep.equal([]);
      const caller = { id: '', authorization: (await signIn(email)).body.token };
      const statuses: number[] = [];
      for (let time = 0; time < 6; time++) statuses.push((await api(caller).get('/v3/users/resendverifyemail')).status);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
    });
  });

  describe('are made', () => {
    afterEach(() => {
      config.SIGNUP = 'open';
    });

    it('by nobody when sign-up is closed, and by who is invited when it is by invitation', async () => {
      const { project, admin } = await aProject();
      const email = `${randomUUID()}@example.com`;
      config.SIGNUP = 'invite';
      expect((await signUp({ email })).status).to.equal(403);
      await api(admin).post(`/v3/${project.id}/project_users/invite`, { email, role: 'agent' });
      const made = await signUp({ email, invitation: await mailbox.keyTo(email) });
      expect(made.status).to.equal(200);
      const caller = { id: made.id, authorization: (await signIn(email)).body.token };
      expect((await api(caller).get('/v3/projects')).body).to.have.lengthOf(1);
      config.SIGNUP = 'closed';
      expect((await signUp()).body).to.include({ success: false, code: 'SIGNUP_CLOSED' });
    });

    it('by an operator at any time, who vouches for their address', async () => {
      config.SIGNUP = 'closed';
      const account = anAccount();
      const { body } = await api(await anOperator()).post('/v3/auth/signup', account);
      expect(body.user).to.include({ email: account.email, emailverified: true });
      expect(await mailbox.to(account.email)).to.deep.equal([]);
      const { owner } = await aProject();
      expect((await api(owner).post('/v3/auth/signup', anAccount())).status).to.equal(403);
    });

    it('with a phone number that no other account has', async () => {
      const phone = `+39${Date.now()}`;
      expect((await signUp({ phone })).body.user.phone).to.equal(phone);
      expect((await signUp({ phone })).body).to.include({ code: 'PHONE_TAKEN' });
    });
  });

  describe('whose password is forgotten', () => {
    it('have a new one by a link that works once; whoever was signed in is out, and is told', async () => {
      const person = await aSession();
      expect([await statusOf(person), await statusOf(basic(person))]).to.deep.equal([200, 200]);
      await askReset(person.email);
      const key = await mailbox.keyTo(person.email);
      expect((await api().get(`/v3/auth/checkpswresetkey/${key}`)).body.user.email).to.equal(person.email);
      expect((await reset(key)).status).to.equal(200);
      expect((await reset(key, 'a third password')).status).to.equal(404);
      expect((await api().get(`/v3/auth/checkpswresetkey/${key}`)).status).to.equal(404);
      await isOut(person);
      await isOut(basic(person));
      expect([(await signIn(person.email)).status, (await signIn(person.email, NEW)).status]).to.deep.equal([401, 200]);
      expect((await mailbox.to(person.email)).at(-1)?.text).to.include('Your password was changed');
    });

    it('answer for an unknown e-mail as for a known one, which alone is sent a mail', async () => {
      const [known, unknown] = [await aPerson(), anAccount()];
      const [one, other] = [await askReset(known.email), await askReset(unknown.email)];
      expect([other.status, other.text]).to.deep.equal([one.status, one.text]);
      expect([(await mailbox.to(known.email)).length, (await mailbox.to(unknown.email)).length]).to.deep.equal([1, 0]);
      const spent = async (email: string) => {
        for (let time = 1; time < 5; time++) await askReset(email);
        return (await askReset(email)).status;
      };
      expect([await spent(known.email), await spent(unknown.email)]).to.deep.equal([429, 429]);
    });

    it('refuse a key that has expired, was made up, or came before another was used', async () => {
      const { id, email } = await aPerson();
      await askReset(email);
      const first = await mailbox.keyTo(email);
      await askReset(email);
      expect((await reset(await mailbox.keyTo(email))).status).to.equal(200);
      expect((await reset(first)).status).to.equal(404);
      await askReset(email);
      const late = await mailbox.keyTo(email);
      await expire(id);
      expect([(await reset(late)).status, (await reset('made-up')).status]).to.deep.equal([404, 404]);
    });

    it('are changed by one of many who use a key at once', async () => {
      const { email } = await aPerson();
      await askReset(email);
      const key = await mailbox.keyTo(email);
      const replies = await Promise.all([1, 2, 3, 4].map((nth) => reset(key, `password ${nth}`)));
      expect(replies.map(({ status }) => status)).to.have.members([200, 404, 404, 404]);
    });
  });

  it('leave no key in the database but its hash (A17)', async () => {
    const { id, email } = await aPerson();
    await askReset(email);
    const key = await mailbox.keyTo(email);
    const kept = await AccountKey.find({ id_user: id }).lean();
    const written = await Mail.find({ to: email }).lean();
    expect(kept).to.have.lengthOf(1);
    expect(Number(kept[0]?.expiresAt) - Date.now()).to.be.lessThan(61 * MINUTE_MS);
    expect(key).to.have.lengthOf(43);
    expect(JSON.stringify([kept, written])).to.not.include(key);
  });
});
