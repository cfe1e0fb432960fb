import { expect } from 'chai';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';

describe('Groups', () => {
  it('hold teammates of the project, and are listed by name or by member', async () => {
    const { project, admin, agent, owner } = await aProject();
    const root = `/v3/${project.id}/groups`;
    const make = async (name: string, members: string[]) => (await api(admin).post(root, { name, members })).body;
    const second = await make('Second', [agent.id, owner.id, agent.id]);
    await make('First', []);
    expect(second).to.deep.include({
      members: [agent.id, owner.id],
      enabled: true,
      trashed: false,
      createdBy: admin.id,
    });
    const names = async (query = '') =>
      (await api(agent).get(root + query)).body.map(({ name }: { name: string }) => name);
    expect(await names()).to.deep.equal(['First', 'Second']);
    expect(await names(`?member=${agent.id}`)).to.deep.equal(['Second']);
    expect((await api(agent).get(`${root}/${second._id}`)).body).to.deep.equal(second);
    expect((await changes(project.id)).map(({ event }) => event)).to.include('group.create');
  });

  it('refuse who is no teammate (422)', async () => {
    const [{ project, admin }, other] = [await aProject(), await aProject()];
    const make = (members: string[]) => api(admin).post(`/v3/${project.id}/groups`, { name: 'Group', members });
    for (const member of [other.agent.id, 'none']) expect((await make([member])).status).to.equal(422);
  });
});
