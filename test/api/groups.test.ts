import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

describe('Groups', () => {
  it('a group contains each of its members once, and groups are sorted by name and can be filtered by member', async () => {
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
    expect((await relayedChanges(project.id)).map(({ event }) => event)).to.include('group.create');
  });

  it('creating a group with a member who is not a teammate returns 422', async () => {
    const [{ project, admin }, other] = [await aProject(), await aProject()];
    const make = (members: string[]) => api(admin).post(`/v3/${project.id}/groups`, { name: 'Group', members });
    for (const member of [other.agent.id, 'none']) expect((await make([member])).status).to.equal(422);
  });

  it('PUT changes the given fields of a group and emits group.update', async () => {
    const { project, admin, agent, owner } = await aProject();
    const root = `/v3/${project.id}/groups`;
    const { body: group } = await api(admin).post(root, { name: 'Group', members: null });
    const one = `${root}/${group._id}`;
    const { body } = await api(admin).put(one, { members: [agent.id, owner.id, agent.id], attributes: { a: 1 } });
    expect(body).to.deep.include({ name: 'Group', members: [agent.id, owner.id], attributes: { a: 1 } });
    expect((await api(admin).put(one, { name: 'Other', members: null })).body).to.deep.include({
      ...{ name: 'Other', members: [agent.id, owner.id], attributes: { a: 1 } },
    });
    expect((await api(admin).put(one, { members: ['0'.repeat(24)] })).status).to.equal(422);
    expect((await api(admin).put(`${root}/${'0'.repeat(24)}`, { name: 'New' })).status).to.equal(404);
    expect((await api(admin).put(`${root}/disable/${group._id}`)).body.enabled).to.equal(false);
    expect((await api(admin).put(`${root}/enable/${group._id}`)).body.enabled).to.equal(true);
    const groupEvents = (await relayedChanges(project.id))
      .map(({ event }) => event)
      .filter((event) => event.startsWith('group.'));
    expect(groupEvents).to.deep.equal(['group.create', ...Array.from({ length: 4 }, () => 'group.update')]);
  });

  it('a deleted group is trashed and can be restored, unless the deletion is forced', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/groups`;
    const { body: group } = await api(admin).post(root, { name: 'Group' });
    const one = `${root}/${group._id}`;
    expect((await api(admin).delete(one)).body).to.include({ success: true });
    expect((await api(admin).get(root)).body).to.deep.equal([]);
    expect((await api(admin).get(one)).body).to.include({ enabled: false, trashed: true });
    await api(admin).put(one, { trashed: false });
    expect((await api(admin).get(root)).body).to.have.length(1);
    const { body: removed } = await api(admin).delete(`${one}?force=true`);
    expect(removed).to.include({ _id: group._id, trashed: false });
    expect((await api(admin).get(one)).status).to.equal(404);
    expect((await relayedChanges(project.id)).map(({ event }) => event)).to.include('group.delete');
  });

  for (const [how, use] of [
    ['as its group', (_id: string) => ({ id_group: _id })],
    ['as one of its groups', (_id: string) => ({ groups: [{ id_group: _id, percentage: 100 }] })],
  ] as const) {
    it(`a group cannot be disabled, trashed or deleted while a department uses it ${how} (403)`, async () => {
      const { project, admin } = await aProject();
      const root = `/v3/${project.id}/groups`;
      const { body: group } = await api(admin).post(root, { name: 'Group' });
      const departments = `/v3/${project.id}/departments`;
      const { body: department } = await api(admin).post(departments, { name: 'Sales', ...use(group._id) });
      const tryToRemove = async () => [
        (await api(admin).put(`${root}/disable/${group._id}`)).status,
        (await api(admin).put(`${root}/${group._id}`, { trashed: true })).status,
        (await api(admin).delete(`${root}/${group._id}`)).status,
        (await api(admin).delete(`${root}/${group._id}?force=true`)).status,
      ];
      expect(await tryToRemove()).to.deep.equal([403, 403, 403, 403]);
      expect((await api(admin).get(`${root}/${group._id}`)).body).to.deep.equal(group);
      await api(admin).delete(`${departments}/${department._id}`);
      expect(await tryToRemove()).to.deep.equal([200, 200, 200, 200]);
    });
  }
});
