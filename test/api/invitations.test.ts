import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { asOneEffect } from '#shared/context.ts';
import * as invitations from '#shared/domain/team/invitations.ts';
import { Mail } from '#shared/models/mail.ts';
import { PendingInvitation } from '#shared/models/pending-invitation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { anOperator, aPerson, aProject, PASSWORD } from '../support/people.ts';

const PROVED = { emailverified: true };
const anEmail = () => `${randomUUID()}@example.com`;

const aTeam = async () => {
  const world = await aProject();
  const { project, admin } = world;
  const root = `/v3/${project.id}`;
  return {
    ...world,
    root,
    pending: `${root}/pendinginvitations`,
    invite: (email: string, more: object = {}, by: Caller = admin) =>
      api(by).post(`${root}/project_users/invite`, { email, role: 'agent', ...more }),
    membersOf: (id_user: string) => ProjectUser.find({ id_project: project.id, id_user }).lean(),
    mailsTo: (to: string) => Mail.find({ to, template: /^beenInvited/ }).lean(),
    told: async () => (await changes(project.id)).map(({ event }) => event).filter((event) => event.includes('invite')),
  };
};

describe('Inviting somebody who has an account', () => {
  it('makes a member at once, tells by mail and event, and once only', async () => {
    const { project, admin, invite, mailsTo, told } = await aTeam();
    const person = await aPerson(PROVED);
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
    expect(await told()).to.deep.equal(['project_user.invite']);
  });

  it('brings back who was disabled or trashed, in the new role, as the one member it is', async () => {
    const { admin, root, invite, membersOf } = await aTeam();
    const person = await aPerson(PROVED);
    const { body } = await invite(person.email);
    for (const query of ['', '?soft=true']) {
      await api(admin).delete(`${root}/project_users/${body._id}${query}`);
      const back = await invite(person.email, { role: 'admin' });
      expect(back.body).to.include({ _id: body._id, role: 'admin', status: 'active', trashed: false });
    }
    expect(await membersOf(person.id)).to.have.lengthOf(1);
  });

  it('twice at once is one member', async () => {
    const { invite, membersOf, mailsTo } = await aTeam();
    for (const _ of Array.from({ length: 5 })) {
      const person = await aPerson(PROVED);
      const replies = await Promise.all([1, 2].map(() => invite(person.email)));
      expect(replies.map(({ status }) => status)).to.have.members([200, 409]);
      expect(await membersOf(person.id)).to.have.lengthOf(1);
      expect(await mailsTo(person.email)).to.have.lengthOf(1);
    }
  });

  it('refuses oneself, roles that are not given by invitation, and what is no e-mail', async () => {
    const { admin, invite } = await aTeam();
    const self = await invite(admin.email);
    expect([self.status, self.body.code]).to.deep.equal([403, 4000]);
    for (const role of ['owner', 'guest', undefined]) expect((await invite(anEmail(), { role })).status).to.equal(422);
    expect((await invite('ann')).status).to.equal(422);
  });
});

describe('Inviting somebody who has none', () => {
  it('answers a teammate to be, beside the invitation that waits for it', async () => {
    const { project, agent, pending, invite, mailsTo, told } = await aTeam();
    const email = anEmail();
    const { status, body } = await invite(email, { firstname: 'Zoe' });
    expect(status).to.equal(200);
    expect(body).to.include({ role: 'agent', roleType: 1, status: 'disabled', id_project: project.id });
    expect(body.pendingInvitation).to.include({ email, role: 'agent', firstname: 'Zoe', id_project: project.id });
    expect((await api(agent).get(pending)).body).to.deep.equal([body.pendingInvitation]);
    expect((await api(agent).get(`${pending}/${body._id}`)).body).to.deep.equal(body.pendingInvitation);
    const open = await api().get(`/v3/auth/pendinginvitationsnoauth/${body._id}`);
    expect(open.body).to.deep.equal(body.pendingInvitation);
    const [mail] = await mailsTo(email);
    expect(mail?.values).to.include({ invitation: body._id });
    expect(await told()).to.deep.equal(['project_user.invite.pending']);
  });

  it('twice, also at once, is one invitation and one mail (409)', async () => {
    const { invite, mailsTo } = await aTeam();
    const email = anEmail();
    const replies = await Promise.all([1, 2].map(() => invite(email)));
    expect(replies.map(({ status }) => status)).to.have.members([200, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body.pendinginvitation).to.have.lengthOf(1);
    expect(await mailsTo(email)).to.have.lengthOf(1);
  });

  it('makes a member of every project that waits, once the account is there', async () => {
    const [one, other] = [await aTeam(), await aTeam()];
    const email = anEmail();
    expect(await invitations.isInvited(email)).to.equal(false);
    await one.invite(email, { role: 'admin' });
    await other.invite(email, { user_available: false });
    expect(await invitations.isInvited(email)).to.equal(true);
    const person = await aPerson({ email, ...PROVED });
    await Promise.all([1, 2].map(() => invitations.accept(person)));
    expect((await one.membersOf(person.id)).map(({ role }) => role)).to.deep.equal(['admin']);
    expect((await other.membersOf(person.id)).map(({ user_available }) => user_available)).to.deep.equal([false]);
    expect(
      await PendingInvitation.countDocuments({ id_project: { $in: [one.project.id, other.project.id] } }),
    ).to.equal(0);
    expect(await one.told()).to.deep.equal(['project_user.invite.pending', 'project_user.invite']);
  });

  it('in the moment in which it signs up with a proved address makes it a member all the same', async () => {
    const { project, invite, membersOf } = await aTeam();
    const administrator = await anOperator(); // vouches for the address
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

  it('is sent again a few times, and taken back', async () => {
    const { agent, pending, invite, mailsTo } = await aTeam();
    const email = anEmail();
    const { _id } = (await invite(email)).body;
    const resend = () => api(agent).get(`${pending}/resendinvite/${_id}`);
    expect((await resend()).body['Resend invitation email to']).to.include({ _id, email });
    const statuses = [];
    for (const _ of Array.from({ length: 4 })) statuses.push((await resend()).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    expect(await mailsTo(email)).to.have.lengthOf(5);
    expect((await api(agent).delete(`${pending}/${_id}`)).body).to.include({ deletedCount: 1 });
    expect((await api(agent).delete(`${pending}/${_id}`)).status).to.equal(404);
    expect((await api(agent).get(pending)).body).to.deep.equal([]);
  });

  it("is its own project's business (404)", async () => {
    const [{ invite }, other] = [await aTeam(), await aTeam()];
    const { _id } = (await invite(anEmail())).body;
    const { agent, pending } = other;
    const paths = [`${pending}/${_id}`, `${pending}/resendinvite/${_id}`];
    for (const path of paths) expect((await api(agent).get(path)).status).to.equal(404);
    expect((await api(agent).delete(`${pending}/${_id}`)).status).to.equal(404);
  });
});

describe('An invitation by an API that died before it answered', () => {
  it('is one invitation and one mail when it is asked for again (F2)', async () => {
    const { project, admin, mailsTo } = await aTeam();
    for (const { email } of [await aPerson(PROVED), { email: anEmail() }]) {
      const invited = { email, role: 'agent', user_available: true } as const;
      const tryIt = (key: string) => asOneEffect(key, () => invitations.invite(project.id, invited, admin));
      const [key, first] = [randomUUID(), await tryIt(email)];
      expect(await tryIt(email)).to.deep.equal(first);
      const refused = await tryIt(key).catch(({ status }: { status: number }) => status);
      expect(refused).to.equal(409);
      expect(await mailsTo(email)).to.have.lengthOf(1);
    }
  });
});
