/** An invitation is for the person who receives email at its address, not for every account with that address. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';
import { anAccount, signIn, authenticationStatus } from '../support/sessions.ts';
import { waitUntil } from '../support/wait-until.ts';

const NEW_PASSWORD = 'another long one';

describe('Verification of an email address', () => {
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
  const verify = ({ id, code }: { id: string; code: string }, body: object = {}, caller?: Caller) =>
    api(caller).put(`/v3/auth/verifyemail/${id}/${code}`, body);
  const signUp = (more: object) => api().post('/v3/auth/signup', anAccount(more));

  /** Creates an account without verifying its address, and signs it in. */
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

  it('an account created after an invitation becomes a member only when its address is verified', async () => {
    const { invite, statusFor, pending } = await aTeam();
    const email = anEmail();
    await invite(email);
    const stranger = await aStranger(email);
    expect(await statusFor(stranger)).to.equal(403);
    expect(await pending()).to.have.lengthOf(1);
  });

  it('an account created before an invitation becomes a member only when its address is verified', async () => {
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

  it('an account whose address is verified becomes a member of every project that invited it', async () => {
    const [one, other] = [await aTeam(), await aTeam()];
    const account = anAccount();
    await one.invite(account.email);
    const { body } = await api().post('/v3/auth/signup', account);
    const code = await mailbox.secretTo(account.email);
    await other.invite(account.email);
    const caller = { id: body.user._id, authorization: (await signIn(account.email)).body.token };
    expect((await verify({ id: caller.id, code }, { password: PASSWORD })).status).to.equal(200);
    expect([await one.statusFor(caller), await other.statusFor(caller)]).to.deep.equal([200, 200]);
    expect([...(await one.pending()), ...(await other.pending())]).to.deep.equal([]);
  });

  it('an account verified by an instance administrator becomes a member of every project that invited it', async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    const caller = await aStranger(email);
    await invite(email);
    await markVerified(email);
    expect(await statusFor(caller)).to.equal(200);
  });

  it('a removed teammate who is invited again becomes active when the address is verified', async () => {
    const { invite, remove, statusFor } = await aTeam();
    const person = await aPerson({ emailverified: true });
    const { body } = await invite(person.email);
    await remove(body._id);
    await User.updateOne({ _id: person.id }, { $set: { emailverified: false } });
    expect((await invite(person.email)).body).to.have.property('pendingInvitation');
    await markVerified(person.email);
    expect(await statusFor(person)).to.equal(200);
  });

  it("confirming an address with the code from an email requires the account's password or token", async () => {
    const account = anAccount({ firstname: 'Eve', lastname: 'Moss' });
    const id = (await api().post('/v3/auth/signup', account)).body.user._id;
    const code = await mailbox.secretTo(account.email);
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

  it('the email that asks a person to confirm an address names the account', async () => {
    const account = anAccount({ firstname: 'Eve', lastname: 'Moss' });
    await api().post('/v3/auth/signup', account);
    expect((await mailbox.mailsTo(account.email)).at(-1)?.text).to.match(/under the name\s"Eve\sMoss"/);
    const { invite } = await aTeam();
    await invite(account.email);
    const { text = '' } = (await mailbox.mailsTo(account.email)).at(-1) ?? {};
    expect(text)
      .to.match(/opened under the name\s"Eve\sMoss"/)
      .and.include('#/forgotpassword');
    const id = (await signIn(account.email)).body.user._id;
    const code = await mailbox.secretTo(account.email);
    expect((await verify({ id, code }, { password: PASSWORD })).body.emailverified).to.equal(true);
  });

  it("the secret in an invitation's email verifies the address at sign-up", async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    await invite(email);
    const invitation = await mailbox.secretTo(email);
    const open = await api().get(`/v3/auth/pendinginvitationsnoauth/${invitation}`);
    expect(open.body).to.include({ email, role: 'admin' });
    const { body } = await signUp({ email, invitation });
    expect(body.user).to.include({ email, emailverified: true });
    expect(await statusFor({ id: '', authorization: (await signIn(email)).body.token })).to.equal(200);
    expect(await mailbox.mailsTo(email)).to.have.lengthOf(1);
  });

  it("sign-up rejects secrets of other or withdrawn invitations, made-up secrets and the invitation's id", async () => {
    const { invite, withdraw } = await aTeam();
    const [email, other, gone] = [anEmail(), anEmail(), anEmail()];
    const [{ body }, , { body: withdrawn }] = [await invite(email), await invite(other), await invite(gone)];
    const secrets = [body._id, `${body._id}-${'x'.repeat(43)}`, await mailbox.secretTo(other), 'x'];
    for (const invitation of secrets)
      expect((await signUp({ email, invitation })).body).to.include({ success: false, code: 'INVITATION_INVALID' });
    const taken = await mailbox.secretTo(gone);
    await withdraw(withdrawn._id);
    expect((await signUp({ email: gone, invitation: taken })).body.code).to.equal('INVITATION_INVALID');
    expect((await api().get(`/v3/auth/pendinginvitationsnoauth/${secrets[1]}`)).status).to.equal(404);
  });

  it("sign-up by invitation requires the secret in the invitation's email", async () => {
    const { invite } = await aTeam();
    const email = anEmail();
    await invite(email);
    config.SIGNUP = 'invite';
    expect((await signUp({ email })).body).to.include({ success: false, code: 'SIGNUP_CLOSED' });
    const { status, body } = await signUp({ email, invitation: await mailbox.secretTo(email) });
    expect({ status, emailverified: body.user?.emailverified }).to.deep.equal({ status: 200, emailverified: true });
  });

  it('setting a new password with the link in an email verifies the address and revokes all earlier tokens', async () => {
    const { invite, statusFor } = await aTeam();
    const email = anEmail();
    const stranger = await aStranger(email);
    await invite(email);
    await mailbox.mailsTo(email); // the email with the link must arrive after the invitation
    await api().put('/v3/auth/requestresetpsw', { email });
    const reset = `/v3/auth/resetpsw/${await mailbox.secretTo(email)}`;
    expect((await api().put(reset, { password: NEW_PASSWORD })).status).to.equal(200);
    await waitUntil(async () => (await authenticationStatus(stranger)) === 401);
    const { token, user } = (await signIn(email, NEW_PASSWORD)).body;
    expect(user.emailverified).to.equal(true);
    expect(await statusFor({ id: user._id, authorization: token })).to.equal(200);
  });

  it('requesting an email with a sign-in link for another device requires a verified address', async () => {
    const { project } = await aProject();
    const caller = await aStranger(anEmail());
    const linkTarget = { id_project: project.id, namespace_id: project.id };
    const { status, body } = await api(caller).post('/v3/users/loginemail', linkTarget);
    expect([status, body.code]).to.deep.equal([403, 'EMAIL_NOT_VERIFIED']);
  });

  it('INVITATIONS=trusting waives verification for invited accounts, but never for instance administrators', async () => {
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

  it('by default, verification is required only if a mail server is configured, and /health/ready reports the value of INVITATIONS that applies', async () => {
    const waitForInvitationMode = (mode: string) =>
      waitUntil(async () => {
        const { status, body } = await api().get('/health/ready');
        return status === 200 && String(body.invitations).startsWith(`INVITATIONS=${mode}: `);
      });
    config.INVITATIONS = undefined;
    const mailServer = config.SMTP_URL;
    await waitForInvitationMode('verified');
    config.SMTP_URL = undefined;
    await waitForInvitationMode('trusting');
    config.SMTP_URL = mailServer;
  });
});
