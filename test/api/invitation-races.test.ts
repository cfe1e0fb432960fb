/** Invitations of an address that is verified while the invitation is being stored. */
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import { invite } from '#shared/domain/team/invitations.ts';
import { Mail } from '#shared/models/mail.ts';
import { PendingInvitation } from '#shared/models/pending-invitation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { aPerson, aProject } from '../support/people.ts';

describe('Invitation of an address that is verified at the same time', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let person: Awaited<ReturnType<typeof aPerson>>;
  let pending: string;
  beforeEach(async () => {
    [fixture, person] = await Promise.all([aProject(), aPerson()]);
    pending = `/v3/${fixture.project.id}/pendinginvitations`;
  });

  /** Verifies the address of the person before each record of the model is created, during `act`. */
  const verifyBeforeCreate = async <T>(model: typeof Mail | typeof PendingInvitation, act: () => PromiseLike<T>) => {
    const create = model.create.bind(model) as (...call: unknown[]) => Promise<unknown>;
    const { mock: mocked } = mock.method(model as typeof Mail, 'create', (async (...call: unknown[]) => {
      await User.updateOne({ _id: person.id }, { $set: { emailverified: true } });
      return create(...call);
    }) as typeof Mail.create);
    try {
      return await act();
    } finally {
      mocked.restore();
    }
  };
  const expectMember = async () => {
    const { project, admin } = fixture;
    expect(await ProjectUser.countDocuments({ id_project: project.id, id_user: person.id })).to.equal(1);
    expect((await api(admin).get(pending)).body).to.deep.equal([]);
  };

  it('inviting an address that is verified just before the invitation is stored returns the new membership', async () => {
    const { project, admin } = fixture;
    const invited = { email: person.email, role: 'agent', user_available: true } as const;
    const body = await verifyBeforeCreate(PendingInvitation, () => invite(project.id, invited, { id: admin.id }));
    expect([String(body.id_user), body.status]).to.deep.equal([person.id, 'active']);
    expect(body).to.not.have.property('pendingInvitation');
    await expectMember();
  });

  it('moving an invitation to an address that is verified in the meantime adds the member, and returns 409', async () => {
    const { project, admin } = fixture;
    const other = { email: `${randomUUID()}@example.com`, role: 'agent' };
    const { _id } = (await api(admin).post(`/v3/${project.id}/project_users/invite`, other)).body;
    const move = () => api(admin).put(`${pending}/${_id}`, { email: person.email, role: 'agent' });
    const { status, body } = await verifyBeforeCreate(Mail, move);
    expect([status, body.code]).to.deep.equal([409, 4001]);
    await expectMember();
  });
});
