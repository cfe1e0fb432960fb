import { expect } from 'chai';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject, aTeammate } from '../support/people.ts';

/** A project with two owners, and calls of one owner about the other one. */
const aProjectWithTwoOwners = async () => {
  const { project, owner, agent } = await aProject();
  const other = await aTeammate(project.id, 'owner');
  const find = (id_user: string) => ProjectUser.findOne({ id_project: project.id, id_user }).orFail().lean();
  const path = `/v3/${project.id}/project_users/${String((await find(other.id))._id)}`;
  return {
    ...{ project, owner, agent, other, find },
    disable: (query = '') => api(owner).delete(`${path}${query}`),
    statusFor: async (caller: Caller) => (await api(caller).get(`/v3/projects/${project.id}`)).status,
  };
};

describe('Deleting an account', () => {
  for (const removal of ['/v3/users', '/v3/users/physical']) {
    for (const [standing, query] of Object.entries({ disabled: '', trashed: '?soft=true' }))
      it(`leaves a project alone in which the account is a ${standing} owner (DELETE ${removal})`, async () => {
        const { owner, other, disable, statusFor } = await aProjectWithTwoOwners();
        expect((await disable(query)).status).to.equal(200);
        expect((await api(other).delete(removal)).status).to.equal(200);
        expect(await statusFor(owner)).to.equal(200);
      });

    it(`takes one of two active owners out of the project, which goes on (DELETE ${removal})`, async () => {
      const { owner, other, statusFor, find } = await aProjectWithTwoOwners();
      expect((await api(other).delete(removal)).status).to.equal(200);
      expect(await statusFor(owner)).to.equal(200);
      expect(await find(other.id)).to.include({ status: 'disabled', trashed: true });
    });

    it(`closes a project whose other owners are disabled (DELETE ${removal})`, async () => {
      const { project, owner, agent, disable, statusFor } = await aProjectWithTwoOwners();
      await disable();
      expect((await api(owner).delete(removal)).status).to.equal(200);
      expect(await Project.findById(project.id).lean()).to.include({ status: 0 });
      expect(await statusFor(agent)).to.equal(403);
    });
  }

  it('of all owners at once closes the project', async () => {
    const { project, owner, other } = await aProjectWithTwoOwners();
    const replies = await Promise.all([owner, other].map((caller) => api(caller).delete('/v3/users')));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(await Project.findById(project.id).lean()).to.include({ status: 0 });
  });
});
