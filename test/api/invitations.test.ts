import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import { newId, withIdempotentIds } from '#shared/context.ts';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { acceptInvitations, isInvited } from '#shared/domain/team/accept-invitations.ts';
import { invite } from '#shared/domain/team/invitations.ts';
import { links } from '#shared/mail/links.ts';
import { Mail } from '#shared/models/mail.ts';
import { PendingInvitation } from '#shared/models/pending-invitation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aMailbox } from '../support/mailbox.ts';
import { anInstanceAdmin, aPerson, aProject, PASSWORD } from '../support/people.ts';

const VERIFIED = { emailverified: true };
const anEmail = () => `${randomUUID()}@example.com`;

const aTeam = async () => {
  const fixture = await aProject();
  const { project, admin } = fixture;
  const root = `/v3/${project.id}`;
  return {
    ...fixture,
    root,
    pending: `${root}/pendinginvitations`,
    invite: (email: string, more: object = {}, caller: Caller = admin) =>
      api(caller).post(`${root}/project_users/invite`, { email, role: 'agent', ...more }),
    membersOf: (id_user: string) => ProjectUser.find({ id_project: project.id, id_user }).lean(),
    mailsTo: (to: string) => Mail.find({ to, template: /^beenInvited/ }).lean(),
    inviteEvents: async () =>
      (await relayedChanges(project.id)).map(({ event }) => event).filter((event) => event.includes('invite')),
  };
};

describe('Invitation of an existing account', () => {
  it('inviting an existing account creates a member, one email and one event, and a second invitation returns 409', async () => {
    const { project, admin, invite, mailsTo, inviteEvents } = await aTeam();
    const person = await aPerson(VERIFIED);
    const { body } = await invite(person.email.toUpperCase(), { role: 'admin', user_available: false });
    expect(body).to.include({
      id_user: person.id,
      role: 'admin',
      roleType: 1,
      user_available: false,
      createdBy: admin.id,
    });
    expect((await api(person).get(`/v3/projects/${project.id}`)).status).to.equal(200);
    const again = await invite(person.email);
    expect([again.status, again.body.code]).to.deep.equal([409, 4001]);
    const [mail, ...more] = await mailsTo(person.email);
    expect(mail?.values).to.include({ project: 'Project', role: 'admin', inviter: 'Ann Lee' });
    expect(more).to.deep.equal([]);
    expect(await inviteEvents()).to.deep.equal(['project_user.invite']);
  });

  it('inviting an account whose new membership is deleted during the call returns 404', async () => {
    const { project, admin } = await aTeam();
    const { email } = await aPerson(VERIFIED);
    const findOne = ProjectUser.findOne.bind(ProjectUser);
    const missing = { id_project: project.id, _id: newId() };
    // Only the read of the new membership passes no options to `findOne`. This read finds nothing, as after a deletion.
    const { mock: mocked } = mock.method(ProjectUser, 'findOne', ((filter: object, fields: object, options: object) =>
      options ? findOne(filter, fields, options) : findOne(missing, fields)) as typeof findOne);
    const invitation = invite(project.id, { email, role: 'agent', user_available: true }, { id: admin.id });
    const error = await invitation.catch((failure: unknown) => failure).finally(() => mocked.restore());
    expect(error).to.include({ status: 404, message: 'Project_user not found' });
  });

  it('inviting a disabled or trashed teammate reactivates the existing membership with the new role', async () => {
    const { admin, root, invite, membersOf } = await aTeam();
    const person = await aPerson(VERIFIED);
    const { body } = await invite(person.email);
    for (const query of ['', '?soft=true']) {
      await api(admin).delete(`${root}/project_users/${body._id}${query}`);
      const secondInvitation = await invite(person.email, { role: 'admin' });
      expect(secondInvitation.body).to.include({ _id: body._id, role: 'admin', status: 'active', trashed: false });
    }
    expect(await membersOf(person.id)).to.have.lengthOf(1);
  });

  it('two concurrent invitations of one account create one member', async () => {
    const { invite, membersOf, mailsTo } = await aTeam();
    for (const _ of Array.from({ length: 5 })) {
      const person = await aPerson(VERIFIED);
      const replies = await Promise.all([1, 2].map(() => invite(person.email)));
      expect(replies.map(({ status }) => status)).to.have.members([200, 409]);
      expect(await membersOf(person.id)).to.have.lengthOf(1);
      expect(await mailsTo(person.email)).to.have.lengthOf(1);
    }
  });

  it('inviting oneself returns 403, and an invalid role or email address returns 422', async () => {
    const { admin, invite } = await aTeam();
    const self = await invite(admin.email);
    expect([self.status, self.body.code]).to.deep.equal([403, 4000]);
    for (const role of ['owner', 'guest', undefined]) expect((await invite(anEmail(), { role })).status).to.equal(422);
    expect((await invite('ann')).status).to.equal(422);
  });
});

describe('Invitation of an unknown email address', () => {
  it('inviting an unknown address returns a disabled membership and its pending invitation', async () => {
    const { project, agent, pending, invite, mailsTo, inviteEvents } = await aTeam();
    const email = anEmail();
    const { status, body } = await invite(email, { firstname: 'Zoe' });
    expect(status).to.equal(200);
    expect(body).to.include({ role: 'agent', roleType: 1, status: 'disabled', id_project: project.id });
    expect(body.pendingInvitation).to.include({ email, role: 'agent', firstname: 'Zoe', id_project: project.id });
    expect((await api(agent).get(pending)).body).to.deep.equal([body.pendingInvitation]);
    expect((await api(agent).get(`${pending}/${body._id}`)).body).to.deep.equal(body.pendingInvitation);
    const publicReply = await api().get(`/v3/auth/pendinginvitationsnoauth/${body._id}`);
    expect(publicReply.body).to.deep.equal(body.pendingInvitation);
    const [mail] = await mailsTo(email);
    expect(mail?.values).to.include({ invitation: body._id });
    expect(await inviteEvents()).to.deep.equal(['project_user.invite.pending']);
  });

  it('of two concurrent invitations of an unknown address, one creates the invitation and one email, and the other returns 409', async () => {
    const { invite, mailsTo } = await aTeam();
    const email = anEmail();
    const replies = await Promise.all([1, 2].map(() => invite(email)));
    expect(replies.map(({ status }) => status)).to.have.members([200, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body.pendinginvitation).to.have.lengthOf(1);
    expect(await mailsTo(email)).to.have.lengthOf(1);
  });

  it('accepting invitations makes an account a member of every project that invited its address', async () => {
    const [one, other] = [await aTeam(), await aTeam()];
    const email = anEmail();
    expect(await isInvited(email)).to.equal(false);
    await one.invite(email, { role: 'admin' });
    await other.invite(email, { user_available: false });
    expect(await isInvited(email)).to.equal(true);
    const person = await aPerson({ email, ...VERIFIED });
    await Promise.all([1, 2].map(() => acceptInvitations(person)));
    expect((await one.membersOf(person.id)).map(({ role }) => role)).to.deep.equal(['admin']);
    expect((await other.membersOf(person.id)).map(({ user_available }) => user_available)).to.deep.equal([false]);
    expect(
      await PendingInvitation.countDocuments({ id_project: { $in: [one.project.id, other.project.id] } }),
    ).to.equal(0);
    expect(await one.inviteEvents()).to.deep.equal(['project_user.invite.pending', 'project_user.invite']);
  });

  it('an account that signs up with a verified address while it is being invited becomes a member', async () => {
    const { project, invite, membersOf } = await aTeam();
    const administrator = await anInstanceAdmin(); // creates accounts with verified addresses
    for (const _ of Array.from({ length: 10 })) {
      const email = anEmail();
      const account = { email, password: PASSWORD, firstname: 'Ann', lastname: 'Lee' };
      const signUp = api(administrator).post('/v3/auth/signup', account);
      const [signedUp, invited] = await Promise.all([signUp, invite(email)]);
      expect([signedUp.status, invited.status]).to.deep.equal([200, 200]);
      expect(await membersOf(signedUp.body.user._id)).to.have.lengthOf(1);
    }
    expect(await PendingInvitation.countDocuments({ id_project: project.id })).to.equal(0);
  });

  it('an invitation can be resent four times and withdrawn', async () => {
    const { agent, pending, invite, mailsTo } = await aTeam();
    const email = anEmail();
    const { _id } = (await invite(email)).body;
    const resend = () => api(agent).get(`${pending}/resendinvite/${_id}`);
    // Deployed clients read this field.
    expect((await resend()).body['Resend invitation email to']).to.include({ _id, email });
    const statuses = [];
    for (const _ of Array.from({ length: 4 })) statuses.push((await resend()).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    expect(await mailsTo(email)).to.have.lengthOf(5);
    expect((await api(agent).delete(`${pending}/${_id}`)).body).to.include({ deletedCount: 1 });
    expect((await api(agent).delete(`${pending}/${_id}`)).status).to.equal(404);
    expect((await api(agent).get(pending)).body).to.deep.equal([]);
  });

  it('a pending invitation of another project returns 404', async () => {
    const [{ invite }, other] = [await aTeam(), await aTeam()];
    const { _id } = (await invite(anEmail())).body;
    const { agent, pending } = other;
    const paths = [`${pending}/${_id}`, `${pending}/resendinvite/${_id}`];
    for (const path of paths) expect((await api(agent).get(path)).status).to.equal(404);
    expect((await api(agent).delete(`${pending}/${_id}`)).status).to.equal(404);
  });
});

describe('Emails of pending invitations', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  before(async () => {
    mailbox = await aMailbox();
  });
  after(() => mailbox.close());

  it('the email of an invitation that was withdrawn or moved to another address is not sent', async () => {
    const { admin, pending, invite, mailsTo } = await aTeam();
    const [withdrawn, former, current] = [anEmail(), anEmail(), anEmail()];
    const { _id } = (await invite(withdrawn)).body;
    expect((await api(admin).delete(`${pending}/${_id}`)).status).to.equal(200);
    const moved = `${pending}/${(await invite(former)).body._id}`;
    expect((await api(admin).put(moved, { email: current, role: 'agent' })).status).to.equal(200);
    expect(await mailbox.mailsTo(current)).to.have.lengthOf(1);
    for (const email of [withdrawn, former]) {
      expect(await mailbox.mailsTo(email)).to.deep.equal([]);
      const [mail] = await mailsTo(email);
      expect(mail).to.include({ failure: 'MAIL_OBSOLETE' }).and.not.have.any.keys('dueAt', 'sentAt');
    }
  });

  it('the email of an invitation that is accepted before the email is sent asks the person to sign in', async () => {
    const { invite, membersOf } = await aTeam();
    const { id, email } = await aPerson();
    await invite(email);
    await markVerified(email);
    expect(await membersOf(id)).to.have.lengthOf(1);
    const [mail, ...more] = await mailbox.mailsTo(email);
    expect(mail?.text).to.include('Sign in to begin:').and.include(links.signIn());
    expect(more).to.deep.equal([]);
  });
});

describe('Invitation repeated with the same Idempotency-Key', () => {
  it('an invitation repeated with the same key, as after a crash, returns the first result without a second email, and one with another key returns 409', async () => {
    const { project, admin, mailsTo } = await aTeam();
    for (const { email } of [await aPerson(VERIFIED), { email: anEmail() }]) {
      const invited = { email, role: 'agent', user_available: true } as const;
      const tryInvitation = (key: string) => withIdempotentIds(key, () => invite(project.id, invited, admin));
      const [key, first] = [randomUUID(), await tryInvitation(email)];
      expect(await tryInvitation(email)).to.deep.equal(first);
      const refused = await tryInvitation(key).catch(({ status }: { status: number }) => status);
      expect(refused).to.equal(409);
      expect(await mailsTo(email)).to.have.lengthOf(1);
    }
  });
});
