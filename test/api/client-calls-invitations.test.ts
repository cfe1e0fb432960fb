/** Pending invitations as deployed clients create and change them, in both wire profiles. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { bothProfiles, type ClientCall, type SendCall } from '../support/both-profiles.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aPerson, aProject } from '../support/people.ts';
import { anAccount } from '../support/sessions.ts';

const anEmail = () => `${randomUUID()}@example.com`;

describe('Pending invitations of deployed clients', () => {
  const { each } = bothProfiles({ INVITATIONS: 'verified' });
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  before(async () => {
    config.INVITATIONS = 'verified';
    mailbox = await aMailbox();
  });
  after(() => mailbox.close());

  /** A project, and calls by its teammates that list, create and change its pending invitations. */
  const aTeam = async (send: SendCall) => {
    const { project, admin, agent } = await aProject();
    const root = `/v3/${project.id}/pendinginvitations`;
    const calling = (call: Omit<ClientCall, 'client'>) => send({ client: 'dashboard', ...call });
    return {
      ...{ project, admin, agent },
      list: async () => (await calling({ as: admin, method: 'GET', path: root })).body,
      create: (as: Caller, body: object) => calling({ as, method: 'POST', path: root, body }),
      change: (as: Caller, id: string, body: object) => calling({ as, method: 'PUT', path: `${root}/${id}`, body }),
    };
  };

  const signUp = (more: object) => api().post('/v3/auth/signup', anAccount(more));

  it('a pending invitation is created and returned, and its email is sent', () =>
    each(async (send) => {
      const { agent, project, create, list } = await aTeam(send);
      const email = anEmail();
      const { status, body } = await create(agent, { email: email.toUpperCase(), role: 'agent' });
      expect(status).to.equal(200);
      expect(body).to.include({ email, role: 'agent', id_project: project.id, createdBy: agent.id });
      expect(await list()).to.deep.equal([body]);
      expect(await mailbox.mailsTo(email)).to.have.lengthOf(1);
      const again = await create(agent, { email, role: 'agent' });
      expect([again.status, again.body.pendinginvitation.length]).to.deep.equal([409, 1]);
    }));

  it('a pending invitation cannot grant a role above that of the caller, nor above admin', () =>
    each(async (send) => {
      const { agent, admin, create, change } = await aTeam(send);
      const [email, other] = [anEmail(), anEmail()];
      expect((await create(agent, { email, role: 'admin' })).body).to.include({ code: 'ROLE_TOO_LOW' });
      expect((await create(admin, { email, role: 'owner' })).status).to.equal(422);
      const { body } = await create(admin, { email, role: 'admin' });
      expect((await change(agent, body._id, { email: other, role: 'admin' })).status).to.equal(403);
      expect((await change(agent, body._id, { email, role: 'agent' })).body).to.include({ email, role: 'agent' });
      expect((await change(agent, body._id, { email, role: 'admin' })).status).to.equal(403);
      expect((await change(admin, body._id, { email, role: 'owner' })).status).to.equal(422);
    }));

  it('a pending invitation is refused for the address of a member, of a verified account or of the caller', () =>
    each(async (send) => {
      const { agent, admin, create, change, list } = await aTeam(send);
      const verifiedPerson = await aPerson({ emailverified: true });
      const { body } = await create(admin, { email: anEmail(), role: 'agent' });
      for (const [email, status] of [
        [admin.email, 409],
        [verifiedPerson.email, 409],
        [agent.email, 403],
      ] as const) {
        expect((await create(agent, { email, role: 'agent' })).status).to.equal(status);
        expect((await change(agent, body._id, { email, role: 'agent' })).status).to.equal(status);
      }
      expect(await list()).to.deep.equal([body]);
      expect(await ProjectUser.exists({ id_project: body.id_project, id_user: verifiedPerson.id })).to.equal(null);
    }));

  it('a pending invitation that is moved to another address is valid only for that address and only with the link in the new email', () =>
    each(async (send) => {
      const { admin, create, change, project } = await aTeam(send);
      const [first, second] = [anEmail(), anEmail()];
      const { body } = await create(admin, { email: first, role: 'agent' });
      const old = await mailbox.secretTo(first);
      const changed = await change(admin, body._id, { email: second, role: 'admin' });
      expect(changed.body).to.include({ _id: body._id, email: second, role: 'admin' });
      const secret = await mailbox.secretTo(second);
      expect(secret).to.not.equal(old);
      for (const email of [first, second])
        expect((await signUp({ email, invitation: old })).body.success, email).to.equal(false);
      expect((await api().get(`/v3/auth/pendinginvitationsnoauth/${old}`)).status).to.equal(404);
      const { body: account } = await signUp({ email: second, invitation: secret });
      const member = { id_project: project.id, id_user: account.user._id, role: 'admin' };
      expect(await ProjectUser.exists(member)).to.not.equal(null);
    }));

  it('a change to an unknown pending invitation returns 404, and a change to the address of another invitation returns 409', () =>
    each(async (send) => {
      const { admin, create, change, list } = await aTeam(send);
      const [email, other] = [anEmail(), anEmail()];
      for (const id of ['0'.repeat(24), 'unknown'])
        expect((await change(admin, id, { email, role: 'agent' })).status).to.equal(404);
      expect(await list()).to.deep.equal([]);
      await create(admin, { email, role: 'agent' });
      const { body } = await create(admin, { email: other, role: 'agent' });
      expect((await change(admin, body._id, { email, role: 'agent' })).status).to.equal(409);
    }));
});
