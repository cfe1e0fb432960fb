import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Mail } from '#shared/models/mail.ts';
import { OneTimeToken } from '#shared/models/one-time-token.ts';
import { api } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { anInstanceAdmin, aPerson, aProject, PASSWORD } from '../support/people.ts';
import {
  anAccount,
  aSession,
  withBasicPassword,
  waitUntilSignedOut,
  signIn,
  authenticationStatus,
} from '../support/sessions.ts';

const NEW_PASSWORD = 'another long one';
const MINUTE_MS = 60_000;

/** Makes all codes and keys that were emailed to an account expire. */
const expireKeys = (id: string) => OneTimeToken.updateMany({ id_user: id }, { $set: { expiresAt: new Date() } });

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
  const requestReset = (email: string) => api().put('/v3/auth/requestresetpsw', { email });
  const reset = (key: string, password = NEW_PASSWORD) => api().put(`/v3/auth/resetpsw/${key}`, { password });

  describe('Address verification', () => {
    it('a verification code verifies the address once, and verifyemail ignores every field of the body but the password', async () => {
      const { id, email } = await signUp();
      const code = await mailbox.secretTo(email);
      const { status, body } = await verify(id, code);
      expect({ status, ...body }).to.include({ status: 100, emailverified: true, email });
      expect((await verify(id, code)).body).to.include({ success: false, error_code: 10_005 });
    });

    it('a verification code expires and is valid for one account only, and an account can request a new one', async () => {
      const [one, other] = await Promise.all([signUp(), signUp()]);
      const code = await mailbox.secretTo(one.email);
      const wrong = await verify(other.id, code);
      expect([wrong.status, wrong.body.error_code]).to.deep.equal([401, 10_006]);
      await expireKeys(one.id);
      expect((await verify(one.id, code)).body.error_code).to.equal(10_005);
      expect((await verify('0'.repeat(24), code)).body.error_code).to.equal(10_001);
      const caller = { id: one.id, authorization: (await signIn(one.email)).body.token };
      expect((await api(caller).get('/v3/users/resendverifyemail')).status).to.equal(200);
      expect((await verify(one.id, await mailbox.secretTo(one.email))).body.emailverified).to.equal(true);
    });

    it('sign-up with disableEmail sends no verification email, and the sixth call to resendverifyemail returns 429', async () => {
      const { email } = await signUp({ disableEmail: true });
      expect(await mailbox.mailsTo(email)).to.deep.equal([]);
      const caller = { id: '', authorization: (await signIn(email)).body.token };
      const statuses: number[] = [];
      for (let time = 0; time < 6; time++) statuses.push((await api(caller).get('/v3/users/resendverifyemail')).status);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
    });
  });

  describe('Sign-up', () => {
    afterEach(() => {
      config.SIGNUP = 'open';
    });

    it('SIGNUP=closed refuses public sign-up, and SIGNUP=invite requires an invitation', async () => {
      const { project, admin } = await aProject();
      const email = `${randomUUID()}@example.com`;
      config.SIGNUP = 'invite';
      expect((await signUp({ email })).status).to.equal(403);
      await api(admin).post(`/v3/${project.id}/project_users/invite`, { email, role: 'agent' });
      const account = await signUp({ email, invitation: await mailbox.secretTo(email) });
      expect(account.status).to.equal(200);
      const caller = { id: account.id, authorization: (await signIn(email)).body.token };
      expect((await api(caller).get('/v3/projects')).body).to.have.lengthOf(1);
      config.SIGNUP = 'closed';
      expect((await signUp()).body).to.include({ success: false, code: 'SIGNUP_CLOSED' });
    });

    it('an instance administrator can create an account with a verified address while sign-up is closed', async () => {
      config.SIGNUP = 'closed';
      const account = anAccount();
      const { body } = await api(await anInstanceAdmin()).post('/v3/auth/signup', account);
      expect(body.user).to.include({ email: account.email, emailverified: true });
      expect(await mailbox.mailsTo(account.email)).to.deep.equal([]);
      const { owner } = await aProject();
      expect((await api(owner).post('/v3/auth/signup', anAccount())).status).to.equal(403);
    });

    it('sign-up refuses the phone number of another account', async () => {
      const phone = `+39${Date.now()}`;
      expect((await signUp({ phone })).body.user.phone).to.equal(phone);
      expect((await signUp({ phone })).body).to.include({ code: 'PHONE_TAKEN' });
    });
  });

  describe('Password reset', () => {
    it('a reset link sets a new password once, ends every session of the account and notifies the owner by email', async () => {
      const person = await aSession();
      expect([await authenticationStatus(person), await authenticationStatus(withBasicPassword(person))]).to.deep.equal(
        [200, 200],
      );
      await requestReset(person.email);
      const key = await mailbox.secretTo(person.email);
      expect((await api().get(`/v3/auth/checkpswresetkey/${key}`)).body.user.email).to.equal(person.email);
      expect((await reset(key)).status).to.equal(200);
      expect((await reset(key, 'a third password')).status).to.equal(404);
      expect((await api().get(`/v3/auth/checkpswresetkey/${key}`)).status).to.equal(404);
      await waitUntilSignedOut(person);
      await waitUntilSignedOut(withBasicPassword(person));
      expect([(await signIn(person.email)).status, (await signIn(person.email, NEW_PASSWORD)).status]).to.deep.equal([
        401, 200,
      ]);
      expect((await mailbox.mailsTo(person.email)).at(-1)?.text).to.include('Your password was changed');
    });

    it('requestresetpsw returns the same reply for a known and an unknown address, and sends an email only to the known one', async () => {
      const [known, unknown] = [await aPerson(), anAccount()];
      const [one, other] = [await requestReset(known.email), await requestReset(unknown.email)];
      expect([other.status, other.text]).to.deep.equal([one.status, one.text]);
      expect([
        (await mailbox.mailsTo(known.email)).length,
        (await mailbox.mailsTo(unknown.email)).length,
      ]).to.deep.equal([1, 0]);
      const statusOfSixthRequest = async (email: string) => {
        for (let time = 1; time < 5; time++) await requestReset(email);
        return (await requestReset(email)).status;
      };
      expect([await statusOfSixthRequest(known.email), await statusOfSixthRequest(unknown.email)]).to.deep.equal([
        429, 429,
      ]);
    });

    it('a reset key is refused if it is unknown, has expired, or was issued before another key was used', async () => {
      const { id, email } = await aPerson();
      await requestReset(email);
      const first = await mailbox.secretTo(email);
      await requestReset(email);
      expect((await reset(await mailbox.secretTo(email))).status).to.equal(200);
      expect((await reset(first)).status).to.equal(404);
      await requestReset(email);
      const expired = await mailbox.secretTo(email);
      await expireKeys(id);
      expect([(await reset(expired)).status, (await reset('made-up')).status]).to.deep.equal([404, 404]);
    });

    it('only one of several concurrent calls with the same reset key changes the password', async () => {
      const { email } = await aPerson();
      await requestReset(email);
      const key = await mailbox.secretTo(email);
      const replies = await Promise.all([1, 2, 3, 4].map((nth) => reset(key, `password ${nth}`)));
      expect(replies.map(({ status }) => status)).to.have.members([200, 404, 404, 404]);
    });
  });

  it('the database stores the hash of a reset key, never the key', async () => {
    const { id, email } = await aPerson();
    await requestReset(email);
    const key = await mailbox.secretTo(email);
    const storedKeys = await OneTimeToken.find({ id_user: id }).lean();
    const storedMails = await Mail.find({ to: email }).lean();
    expect(storedKeys).to.have.lengthOf(1);
    expect(Number(storedKeys[0]?.expiresAt) - Date.now()).to.be.lessThan(61 * MINUTE_MS);
    expect(key).to.have.lengthOf(43);
    expect(JSON.stringify([storedKeys, storedMails])).to.not.include(key);
  });
});
