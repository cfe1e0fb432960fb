import { expect } from 'chai';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { aPerson, aProject, aTeammate } from '../support/people.ts';

/** A project with two owners; `disable` disables or trashes the second one. */
const aProjectWithTwoOwners = async () => {
  const { project, owner, agent } = await aProject();
  const other = await aTeammate(project.id, 'owner');
  const findMembership = (id_user: string) => ProjectUser.findOne({ id_project: project.id, id_user }).orFail().lean();
  const path = `/v3/${project.id}/project_users/${String((await findMembership(other.id))._id)}`;
  return {
    ...{ project, owner, agent, other, find: findMembership },
    disable: (query = '') => api(owner).delete(`${path}${query}`),
    statusFor: async (caller: Caller) => (await api(caller).get(`/v3/projects/${project.id}`)).status,
  };
};

describe('Account removal', () => {
  for (const removal of ['/v3/users', '/v3/users/physical']) {
    for (const [state, query] of Object.entries({ disabled: '', trashed: '?soft=true' }))
      it(`DELETE ${removal} does not close a project in which the account is a ${state} owner`, async () => {
        const { owner, other, disable, statusFor } = await aProjectWithTwoOwners();
        expect((await disable(query)).status).to.equal(200);
        expect((await api(other).delete(removal)).status).to.equal(200);
        expect(await statusFor(owner)).to.equal(200);
      });

    it(`DELETE ${removal} removes one of two active owners from a project without closing it`, async () => {
      const { owner, other, statusFor, find } = await aProjectWithTwoOwners();
      expect((await api(other).delete(removal)).status).to.equal(200);
      expect(await statusFor(owner)).to.equal(200);
      expect(await find(other.id)).to.include({ status: 'disabled', trashed: true });
    });

    it(`DELETE ${removal} closes a project whose other owners are disabled`, async () => {
      const { project, owner, agent, disable, statusFor } = await aProjectWithTwoOwners();
      await disable();
      expect((await api(owner).delete(removal)).status).to.equal(200);
      expect(await Project.findById(project.id).lean()).to.include({ status: 0 });
      expect(await statusFor(agent)).to.equal(403);
    });
  }

  it('of two concurrent DELETE calls for one account, one succeeds, and the other returns 401 or 404', async () => {
    for (const removal of ['/v3/users', '/v3/users/physical']) {
      const person = await aPerson();
      const replies = await Promise.all([api(person).delete(removal), api(person).delete(removal)]);
      const [first, second] = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(first).to.equal(200);
      expect(second).to.be.oneOf([401, 404]);
    }
  });

  it('deleting the accounts of all owners at the same time closes the project', async () => {
    const { project, owner, other } = await aProjectWithTwoOwners();
    const replies = await Promise.all([owner, other].map((caller) => api(caller).delete('/v3/users')));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(await Project.findById(project.id).lean()).to.include({ status: 0 });
  });
});
