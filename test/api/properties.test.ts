/** Lead properties: the fields that a project adds to its leads. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN_ID } from '../support/valid-call.ts';

describe('Lead properties', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let root: string;

  const add = async (property: object) => (await api(fixture.agent).post(root, property)).body;
  const namesOf = async (query = '') =>
    (await api(fixture.agent).get(root + query)).body.map(({ name }: { name: string }) => name);

  beforeEach(async () => {
    fixture = await aProject();
    root = `/v3/${fixture.project.id}/properties`;
  });

  it('a lead property has the type text by default, and is returned unchanged', async () => {
    const plan = await add({ label: 'Plan', name: 'plan' });
    expect(plan).to.include({ label: 'Plan', name: 'plan', type: 'text', status: 100, createdBy: fixture.agent.id });
    expect((await api(fixture.agent).get(`${root}/${plan._id}`)).body).to.deep.equal(plan);
    expect((await add({ label: 'Seats', name: 'seats', type: 'number', status: null })).type).to.equal('number');
  });

  it('lead properties are listed newest first and filtered by name and status', async () => {
    await add({ label: 'Plan', name: 'plan' });
    const { _id } = await add({ label: 'Seats', name: 'seats' });
    expect(await namesOf()).to.deep.equal(['seats', 'plan']);
    await api(fixture.agent).delete(`${root}/${_id}`);
    const cases = { '': ['plan'], '?status=1000': ['seats'], '?name=plan': ['plan'], '?limit=1&page=1': [] };
    for (const [query, names] of Object.entries(cases)) expect(await namesOf(query)).to.deep.equal(names);
  });

  it('an update of a lead property leaves absent and null fields unchanged, and can restore a deleted property', async () => {
    const created = await add({ label: 'Plan', name: 'plan' });
    await api(fixture.agent).delete(`${root}/${created._id}`);
    const { body } = await api(fixture.agent).put(`${root}/${created._id}`, {
      label: 'Tariff',
      name: null,
      status: 100,
    });
    expect(body).to.deep.equal({ ...created, label: 'Tariff', updatedAt: body.updatedAt, __v: 2 });
  });

  it('a lead property whose name is empty, contains a dot or begins with `$` is refused (422), and an update of an unknown property returns 404', async () => {
    for (const name of ['', 'a.b', '$set'])
      expect((await api(fixture.agent).post(root, { label: 'X', name })).status).to.equal(422);
    expect((await api(fixture.agent).put(`${root}/${UNKNOWN_ID}`, { label: 'X' })).status).to.equal(404);
  });

  it('an owner can remove a lead property permanently', async () => {
    const { _id } = await add({ label: 'Plan', name: 'plan' });
    const { body } = await api(fixture.owner).delete(`${root}/${_id}/physical`);
    expect(body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect((await api(fixture.agent).get(`${root}/${_id}`)).status).to.equal(404);
  });
});
