/** An invitation is for whoever reads the mails of its address, not for whoever opened an account with it. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import { vouchFor } from '#shared/domain/access/accounts.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';
import { anAccount, signIn, statusOf } from '../support/sessions.ts';
import { until } from '../support/until.ts';

const NEW = 'another long one';

describe('Proof of an e-mail address', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  before(async () => {
    mailbox = await aMailbox();
  });
  beforeEach(() => {
    config.INVITATIONS = 'verified';
  });
  afterEach(() => {
    config.SIGNUP = 'open';
    config.INVITATIONS = 'verified';
  });
  after(() => mailbox.close());

  const anEmail = () => `${randomUUID()}@example.com`;
  const verify = ({ id, code }: { id: string; code: string }, body: object = {}, by?: Caller) =>
    api(by).put(`/v3/auth/verifyemail/${id}/${code}`, body);
  const signUp = (more: object) => api().post('/v3/auth/signup', anAccount(more));

  /** An account that was opened without a mail, by whoever it was. */
  const aStranger = async (email: string, more: object = {}): Promise<Caller & { status: number }> => {
    const { status, body } = await signUp({ email, disableEmail: true, ...more });
    const { token } = (await signIn(email)).body;
    return { status, id: body.user?._id, authorization: token };
  };

  const aTeam = async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}`;
    return {
      invite: (email: string) => api(admin).post(`${root}/project_users/invite`, { email, role: 'admin' }),
      withdraw: (id: string) => api(admin).delete(`${root}/pendinginvitations/${id}`),
      remove: (id: string) => api(admin).delete(`${root}/project_users/${id}?soft=true`),
      pending: async () => (await api(admin).get(`${root}/pendinginvitations`)).body,
      statusFor: async (caller: Caller) => (await api(caller).get(`/v3/projects/${project.id}`)).status,
    };
  };

  it('is needed by an account that was opened after the invitation', async () => {
    const { invite, statusFor, pending } = await aTeam();
    const email = anEmail();
    await invite(email);
    const stranger = await aStranger(email);
    expect(await statusFor(stranger)).to.equal(403);
    expect(await pending()).to.have.lengthOf(1);
  });

  it('is needed by an account that was opened before the invitation', async () => {
    const { invite, statusFor, pending } = await aTeam();
    const email = anEmail();
    const stranger = await aStranger(email);
    const invited = await invite(email);
    expect(invited.status).to.equal(200);
    expect(invited.body).to.have.property('pendingInvitation');
    expect(await statusFor(stranger)).to.equal(403);
    expect(await pending()).to.have.lengthOf(1);
    expect((await invite(email)).status).to.equal(409);
  });

  it('makes an account a member of every project that invited it', async () => {
    const [one, other] = [await aTeam(), await aTeam()];
    const account = anAccount();
    await one.invite(account.email);
    const { body } = await api().post('/v3/auth/signup', account);
    const code = await mailbox.keyTo(account.email);
    await other.invite(account.email);
    const caller = { id: body.user._id, authorization: (await signIn(account.email)).body.token };
    expect((await verify({ id: caller.id, code }, { password: PASSWORD })).status).to.equal(200);
    expect([await one.statusFor(caller), await other.statusFor(caller)]).to.deep.equal([200, 200]);
    expect([...(await one.pending()), ...(await other.pending())]).to.deep.equal([]);
  });

  it('by an instance administrator makes an account a member of every project that invited it', async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    const caller = await aStranger(email);
    await invite(email);
    await vouchFor(email);
    expect(await statusFor(caller)).to.equal(200);
  });

  it('brings back a teammate who was removed and is invited again', async () => {
    const { invite, remove, statusFor } = await aTeam();
    const person = await aPerson({ emailverified: true });
    const { body } = await invite(person.email);
    await remove(body._id);
    await User.updateOne({ _id: person.id }, { $set: { emailverified: false } });
    expect((await invite(person.email)).body).to.have.property('pendingInvitation');
    await vouchFor(person.email);
    expect(await statusFor(person)).to.equal(200);
  });

  it("by the code of a mail needs the account's password or token", async () => {
    const account = anAccount({ firstname: 'Eve', lastname: 'Moss' });
    const id = (await api().post('/v3/auth/signup', account)).body.user._id;
    const code = await mailbox.keyTo(account.email);
    const other = await aPerson();
    const replies = [
      await verify({ id, code }),
      await verify({ id, code }, { password: 'a wrong one' }),
      await verify({ id, code }, { emailverified: true }, other),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).to.deep.equal(
      Array.from(replies, () => [401, 'CREDENTIALS_REQUIRED']),
    );
    expect((await User.findById(id).lean())?.emailverified).to.equal(false);
    const owner = { id, authorization: (await signIn(account.email)).body.token };
    expect((await verify({ id, code }, { emailverified: true }, owner)).body.emailverified).to.equal(true);
  });

  it('is asked for by a mail that says under which name the account was opened', async () => {
    const account = anAccount({ firstname: 'Eve', lastname: 'Moss' });
    await api().post('/v3/auth/signup', account);
    expect((await mailbox.to(account.email)).at(-1)?.text).to.match(/under the name\s"Eve\sMoss"/);
    const { invite } = await aTeam();
    await invite(account.email);
    const { text = '' } = (await mailbox.to(account.email)).at(-1) ?? {};
    expect(text)
      .to.match(/opened under the name\s"Eve\sMoss"/)
      .and.include('#/forgotpassword');
    const id = (await signIn(account.email)).body.user._id;
    const code = await mailbox.keyTo(account.email);
    expect((await verify({ id, code }, { password: PASSWORD })).body.emailverified).to.equal(true);
  });

  it("is the secret in an invitation's mail, with which somebody signs up", async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    await invite(email);
    const invitation = await mailbox.keyTo(email);
    const open = await api().get(`/v3/auth/pendinginvitationsnoauth/${invitation}`);
    expect(open.body).to.include({ email, role: 'admin' });
    const { body } = await signUp({ email, invitation });
    expect(body.user).to.include({ email, emailverified: true });
    expect(await statusFor({ id: '', authorization: (await signIn(email)).body.token })).to.equal(200);
    expect(await mailbox.to(email)).to.have.lengthOf(1);
  });

  it("is no secret of another invitation, nor one that was made up or taken back, nor the invitation's id", async () => {
    const { invite, withdraw } = await aTeam();
    const [email, other, gone] = [anEmail(), anEmail(), anEmail()];
    const [{ body }, , { body: withdrawn }] = [await invite(email), await invite(other), await invite(gone)];
    const secrets = [body._id, `${body._id}-${'x'.repeat(43)}`, await mailbox.keyTo(other), 'x'];
    for (const invitation of secrets)
      expect((await signUp({ email, invitation })).body).to.include({ success: false, code: 'INVITATION_UNKNOWN' });
    const taken = await mailbox.keyTo(gone);
    await withdraw(withdrawn._id);
    expect((await signUp({ email: gone, invitation: taken })).body.code).to.equal('INVITATION_UNKNOWN');
    expect((await api().get(`/v3/auth/pendinginvitationsnoauth/${secrets[1]}`)).status).to.equal(404);
  });

  it('is needed to sign up where that is by invitation', async () => {
    const { invite } = await aTeam();
    const email = anEmail();
    await invite(email);
    config.SIGNUP = 'invite';
    expect((await signUp({ email })).body).to.include({ success: false, code: 'SIGNUP_CLOSED' });
    const { status, body } = await signUp({ email, invitation: await mailbox.keyTo(email) });
    expect({ status, emailverified: body.user?.emailverified }).to.deep.equal({ status: 200, emailverified: true });
  });

  it('is a new password by the link of a mail: whoever else held the account is out', async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    const stranger = await aStranger(email);
    await invite(email);
    await mailbox.to(email); // before the next mail
    await api().put('/v3/auth/requestresetpsw', { email });
    const reset = `/v3/auth/resetpsw/${await mailbox.keyTo(email)}`;
    expect((await api().put(reset, { password: NEW })).status).to.equal(200);
    await until(async () => (await statusOf(stranger)) === 401);
    const { token, user } = (await signIn(email, NEW)).body;
    expect(user.emailverified).to.equal(true);
    expect(await statusFor({ id: user._id, authorization: token })).to.equal(200);
  });

  it('is needed for a mail whose link signs in at another device', async () => {
    const { project } = await aProject();
    const caller = await aStranger(anEmail());
    const where = { id_project: project.id, namespace_id: project.id };
    const { status, body } = await api(caller).post('/v3/users/loginemail', where);
    expect([status, body.code]).to.deep.equal([403, 'ADDRESS_UNPROVED']);
  });

  it('is not needed by an invited account with INVITATIONS=trusting, and ever by an instance administrator', async () => {
    config.INVITATIONS = 'trusting';
    const { invite, statusFor } = await aTeam();
    const [early, late] = [anEmail(), anEmail()];
    const before = await aStranger(early);
    await invite(early);
    await invite(late);
    config.SIGNUP = 'invite';
    const after = await aStranger(late);
    expect([await statusFor(before), await statusFor(after)]).to.deep.equal([200, 200]);
    config.SIGNUP = 'open';
    const email = config.OPERATORS[1] as string;
    await User.deleteMany({ email });
    expect((await api(await aStranger(email)).get('/v3/projects/all')).status).to.equal(403);
    await User.deleteMany({ email });
  });

  it('is needed by default with a mail server and not without one, as /health/ready says', async () => {
    const says = (mode: string) =>
      until(async () => {
        const { status, body } = await api().get('/health/ready');
        return status === 200 && String(body.invitations).startsWith(`INVITATIONS=${mode}: `);
      });
    config.INVITATIONS = undefined;
    const mailServer = config.SMTP_URL;
    await says('verified');
    config.SMTP_URL = undefined;
    await says('trusting');
    config.SMTP_URL = mailServer;
  });
});
