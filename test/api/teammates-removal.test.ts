import { expect } from 'chai';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { theDeployedClientsApi } from '../support/api-process.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aTeammate } from '../support/people.ts';
import { aTeam, teamEvents } from '../support/team.ts';

describe('Removal of a teammate', () => {
  const kinds: [query: string, after: object, emitsDelete: boolean][] = [
    ['', { status: 'disabled', user_available: false, trashed: false }, false],
    ['?soft=false&hard=1', { status: 'disabled', user_available: false, trashed: false }, false],
    ['?soft=true', { status: 'disabled', user_available: true, trashed: true }, true],
    ['?soft=true&hard=true', { status: 'disabled', user_available: true, trashed: true }, true],
  ];
  for (const [query, after, emitsDelete] of kinds) {
    it(`DELETE${query} of a teammate sets ${JSON.stringify(after)}, and restore makes the teammate active again`, async () => {
      const { project, admin, agent, root, membershipId } = await aTeam();
      await api(admin).post(`/v3/${project.id}/groups`, { name: 'First', members: [agent.id] });
      const one = `${root}/${await membershipId(agent)}`;
      const { body } = await api(admin).delete(one + query);
      expect(body).to.include({ ...after, id_user: agent.id });
      const groups = (await api(admin).get(`/v3/${project.id}/groups?member=${agent.id}`)).body;
      expect(groups).to.have.lengthOf(emitsDelete ? 0 : 1);
      expect((await teamEvents(project.id)).includes('project_user.delete')).to.equal(emitsDelete);
      const restored = await api(admin).put(`${one}/restore`);
      expect(restored.body).to.include({ status: 'active', trashed: false });
      const again = await api(admin).put(`${one}/restore`);
      expect([again.status, again.body.success]).to.deep.equal([400, false]);
    });
  }

  it('DELETE?hard=true deletes a teammate and emits project_user.delete', async () => {
    const { project, admin, agent, root, list, membershipId } = await aTeam();
    const _id = await membershipId(agent);
    const { body } = await api(admin).delete(`${root}/${_id}?hard=true`);
    expect(body).to.include({ _id, id_user: agent.id, status: 'active' });
    expect((await api(admin).delete(`${root}/${_id}?hard=true`)).body).to.include({
      success: false,
      code: 'NOT_FOUND',
    });
    expect((await list('?trashed=true', admin)).map((each) => each._id)).to.not.include(_id);
    const log = await relayedChanges(project.id);
    const deleted = log.find(({ event }) => event === 'project_user.delete')?.payload as Record<string, unknown>;
    expect([String(deleted._id), deleted.role]).to.deep.equal([_id, 'agent']);
    expect(deleted.id_user).to.include({ email: agent.email });
  });
});

describe('The last owner', () => {
  it('the last owner cannot be demoted, disabled, trashed or removed by any role (409)', async () => {
    const { owner, admin, root, membershipId } = await aTeam();
    const one = `${root}/${await membershipId(owner)}`;
    for (const caller of [owner, admin]) {
      const tries = [
        await api(caller).put(one, { role: 'admin' }),
        await api(caller).put(one, { status: 'disabled' }),
        await api(caller).delete(one),
        await api(caller).delete(`${one}?soft=true`),
        await api(caller).delete(`${one}?hard=true`),
      ];
      expect(tries.map(({ status, body }) => [status, body.code])).to.deep.equal(tries.map(() => [409, 'LAST_OWNER']));
    }
    expect((await api(owner).put(root, { role: 'agent' })).status).to.equal(409);
    expect((await api(owner).put(root, { role: 'owner', user_available: false })).status).to.equal(200);
  });

  it('an owner can be removed when the project has another owner', async () => {
    const { project, owner, root, membershipId } = await aTeam();
    const heir = await aTeammate(project.id, 'owner');
    expect((await api(heir).delete(`${root}/${await membershipId(owner)}?hard=true`)).status).to.equal(200);
    expect((await api(heir).put(root, { role: 'agent' })).status).to.equal(409);
  });
});

describe('Teammates in both wire profiles', () => {
  it('with WIRE_PROFILE=deployed-clients, a teammate is returned in an array, presence is an object, and the deletion of a bot returns a message', async () => {
    const { project, admin, agent, root } = await aTeam();
    const changedAt = new Date();
    const online = { presence: { status: 'online' as const, changedAt } };
    await ProjectUser.updateOne({ id_project: project.id, id_user: agent.id }, { $set: online });
    const { url } = await theDeployedClientsApi();
    const aBot = async () => (await api(admin).post(`/v3/${project.id}/bots`, { name: 'Bot' })).body._id as string;
    const headers = { authorization: admin.authorization };
    const one = `${root}/users/${agent.id}`;
    expect((await api(admin).get(one)).body).to.include({ presence: 'online', role: 'agent' });
    // Unlike `api`, `fetch` does not check responses against the OpenAPI document of this process.
    const response = await fetch(url + one, { headers });
    const [teammate, ...more] = (await response.json()) as Record<string, unknown>[];
    expect(more).to.deep.equal([]);
    expect(teammate?.presence).to.deep.equal({ status: 'online', changedAt: changedAt.toISOString() });
    const [first, second] = [await aBot(), await aBot()];
    expect((await api(admin).delete(`/v3/${project.id}/bots/${first}`)).body).to.include({ _id: first, name: 'Bot' });
    const deleted = await fetch(`${url}/v3/${project.id}/bots/${second}`, { method: 'DELETE', headers });
    expect(await deleted.json()).to.deep.equal({
      success: true,
      message: `Chatbot with id ${second} deleted successfully`,
    });
  });
});
