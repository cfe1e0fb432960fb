/** Contract b 5.10: what a project adds to the fields of its leads. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN } from '../support/valid-call.ts';

describe('Properties of leads', () => {
  let world: Awaited<ReturnType<typeof aProject>>;
  let root: string;

  const add = async (property: object) => (await api(world.agent).post(root, property)).body;
  const namesOf = async (query = '') =>
    (await api(world.agent).get(root + query)).body.map(({ name }: { name: string }) => name);

  beforeEach(async () => {
    world = await aProject();
    root = `/v3/${world.project.id}/properties`;
  });

  it('are texts by themselves, and are read as they were added', async () => {
    const plan = await add({ label: 'Plan', name: 'plan' });
    expect(plan).to.include({ label: 'Plan', name: 'plan', type: 'text', status: 100, createdBy: world.agent.id });
    expect((await api(world.agent).get(`${root}/${plan._id}`)).body).to.deep.equal(plan);
    expect((await add({ label: 'Seats', name: 'seats', type: 'number', status: null })).type).to.equal('number');
  });

  it('are listed, the latest first, by name and status', async () => {
    await add({ label: 'Plan', name: 'plan' });
    const { _id } = await add({ label: 'Seats', name: 'seats' });
    expect(await namesOf()).to.deep.equal(['seats', 'plan']);
    await api(world.agent).delete(`${root}/${_id}`);
    const cases = { '': ['plan'], '?status=1000': ['seats'], '?name=plan': ['plan'], '?limit=1&page=1': [] };
    for (const [query, names] of Object.entries(cases)) expect(await namesOf(query)).to.deep.equal(names);
  });

  it('keep what a change leaves out or gives as null, and come back from deletion', async () => {
    const made = await add({ label: 'Plan', name: 'plan' });
    await api(world.agent).delete(`${root}/${made._id}`);
    const { body } = await api(world.agent).put(`${root}/${made._id}`, { label: 'Tariff', name: null, status: 100 });
    expect(body).to.deep.equal({ ...made, label: 'Tariff', updatedAt: body.updatedAt, __v: 2 });
  });

  it('are named so that they can be a key (422), and never made by a change (404)', async () => {
    for (const name of ['', 'a.b', '$set'])
      expect((await api(world.agent).post(root, { label: 'X', name })).status).to.equal(422);
    expect((await api(world.agent).put(`${root}/${UNKNOWN}`, { label: 'X' })).status).to.equal(404);
  });

  it('are removed for good by an owner', async () => {
    const { _id } = await add({ label: 'Plan', name: 'plan' });
    const { body } = await api(world.owner).delete(`${root}/${_id}/physical`);
    expect(body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect((await api(world.agent).get(`${root}/${_id}`)).status).to.equal(404);
  });
});
