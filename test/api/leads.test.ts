/** Contract b 5: what teammates do to leads, and what is told of it. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN } from '../support/valid-call.ts';

type Fields = Record<string, unknown>;

describe('Leads', () => {
  let world: Awaited<ReturnType<typeof aProject>>;
  let root: string;

  const make = async (lead: Fields) => (await api(world.agent).post(root, lead)).body;
  const list = async (query = '') => (await api(world.agent).get(root + query)).body;
  const namesOf = async (query: string) => (await list(query)).leads.map(({ fullname }: Fields) => fullname);
  const toldOf = async (id: string) =>
    (await changes(world.project.id))
      .filter(({ payload }) => String((payload as Fields)._id) === id)
      .map(({ event }) => event);

  beforeEach(async () => {
    world = await aProject();
    root = `/v3/${world.project.id}/leads`;
  });

  it('are made with what the contract names, and told of', async () => {
    const attributes = { plan: { size: 3 } };
    const lead = await make({ lead_id: 'mine', fullname: 'Ann', email: 'ann@x.org', attributes, company: 'none' });
    expect(lead).to.deep.include({ lead_id: 'mine', fullname: 'Ann', email: 'ann@x.org', attributes, tags: [] });
    expect(lead).to.deep.include({ status: 100, createdBy: world.agent.id, id_project: world.project.id });
    expect(lead).to.not.have.property('company');
    expect((await api(world.agent).get(`${root}/${lead._id}`)).body).to.deep.equal(lead);
    expect((await make({ lead_id: null })).lead_id).to.match(/^[0-9a-f-]{36}$/);
    expect(await toldOf(lead._id)).to.deep.equal(['lead.create']);
  });

  it('share no lead_id within a project (409), whose conversations find their lead by it', async () => {
    const lead_id = randomUUID();
    const [first, second] = [await make({ lead_id }), await api(world.agent).post(root, { lead_id })];
    expect(second).to.deep.include({ status: 409 });
    expect((await list()).leads).to.deep.equal([first]);
  });

  it('keep what a change leaves out or gives as null (decision 20)', async () => {
    const made = await make({ fullname: 'Ann', email: 'ann@x.org', attributes: { a: 1, b: 2 } });
    const change = { fullname: null, city: 'Rome', tags: ['a'], attributes: { c: 3 }, status: 50 };
    const { body } = await api(world.agent).put(`${root}/${made._id}`, change);
    const { updatedAt } = body;
    expect(body).to.deep.equal({ ...made, ...change, fullname: 'Ann', updatedAt, __v: made.__v + 1 });
    expect((await api(world.agent).put(`${root}/${made._id}`, { fullname: null })).body).to.deep.equal(body);
    expect(await toldOf(made._id)).to.deep.equal(['lead.create', 'lead.update']);
  });

  it('tell of a name and of an e-mail that is given (contract b 5.6)', async () => {
    const changed = async (change: Fields) => {
      const { _id } = await make({});
      await api(world.agent).put(`${root}/${_id}`, change);
      return (await toldOf(_id)).slice(1);
    };
    const both = 'lead.fullname.email.update';
    expect(await changed({ fullname: 'Ann' })).to.deep.equal(['lead.update', 'lead.fullname.update', both]);
    expect(await changed({ email: 'a@x.org' })).to.deep.equal(['lead.update', 'lead.email.update', both]);
  });

  it('are never made by a change (404), and are refused a status that there is not (422)', async () => {
    for (const [path, body] of Object.entries({ '': { fullname: 'Ann' }, '/tag': ['a'] }))
      expect((await api(world.agent).put(`${root}/${UNKNOWN}${path}`, body)).status).to.equal(404);
    expect((await list()).count).to.equal(0);
    const { _id } = await make({});
    expect((await api(world.agent).put(`${root}/${_id}`, { status: 7 })).status).to.equal(422);
  });

  it('hold each tag once; taking one away is not told', async () => {
    const { _id } = await make({});
    const tag = `${root}/${_id}/tag`;
    await api(world.agent).put(tag, ['a', 'b']);
    expect((await api(world.agent).put(tag, ['b', 'c', 'c'])).body.tags).to.deep.equal(['a', 'b', 'c']);
    expect((await api(world.agent).delete(`${tag}/b`)).body.tags).to.deep.equal(['a', 'c']);
    const many = Array.from({ length: 99 }, (_, at) => `tag ${at}`);
    expect((await api(world.agent).put(tag, many)).status).to.equal(422);
    const none = await api(world.agent).put(tag, []);
    expect([none.status, typeof none.body.message]).to.deep.equal([400, 'string']);
    expect(await toldOf(_id)).to.deep.equal(['lead.create', 'lead.update', 'lead.update']);
  });

  it('take attributes and properties key by key', async () => {
    const { _id } = await make({ attributes: { a: 1, deep: { x: 1 } } });
    const { body } = await api(world.agent).patch(`${root}/${_id}/attributes`, { b: 2, deep: { y: 2 } });
    expect(body.attributes).to.deep.equal({ a: 1, b: 2, deep: { y: 2 } });
    for (const way of ['patch', 'post'] as const)
      await api(world.agent)[way](`${root}/${_id}/properties`, { [way]: true });
    expect((await api(world.agent).get(`${root}/${_id}`)).body.properties).to.deep.equal({ patch: true, post: true });
  });

  it('never grow without end by merging, and take no key that is a path or an operator (422)', async () => {
    const { _id } = await make({});
    const merge = (values: object) => api(world.agent).patch(`${root}/${_id}/attributes`, values);
    expect((await merge({ a: 'x'.repeat(60_000) })).status).to.equal(200);
    expect((await merge({ b: 'x'.repeat(60_000) })).status).to.equal(422);
    for (const key of ['', '$set', 'a.b', '__proto__x.y']) expect((await merge({ [key]: 1 })).status).to.equal(422);
    expect(Object.keys((await api(world.agent).get(`${root}/${_id}`)).body.attributes)).to.deep.equal(['a']);
  });

  it('are deleted softly and told of once; an owner removes them for good', async () => {
    const { _id } = await make({});
    const one = `${root}/${_id}`;
    for (const _ of [1, 2]) expect((await api(world.agent).delete(one)).body).to.include({ _id, status: 1000 });
    expect([(await list()).count, (await list('?status=1000')).count]).to.deep.equal([0, 1]);
    expect((await api(world.admin).delete(`${one}/physical`)).status).to.equal(403);
    const { body } = await api(world.owner).delete(`${one}/physical`);
    expect(body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect((await api(world.agent).get(one)).status).to.equal(404);
    expect(await toldOf(_id)).to.deep.equal(['lead.create', 'lead.delete']);
  });

  it('that are removed at once are told of too', async () => {
    const { _id } = await make({});
    await api(world.owner).delete(`${root}/${_id}/physical`);
    expect(await toldOf(_id)).to.deep.equal(['lead.create', 'lead.delete']);
  });

  it('are listed by e-mail, presence, tag, words and page', async () => {
    await make({ fullname: 'Ann Smith', email: 'ann@x.org' });
    await make({ fullname: 'Bob Smith' });
    const { _id } = await make({ email: 'c@x.org' });
    await api(world.agent).put(`${root}/${_id}`, { fullname: 'Cleo', tags: ['vip'] });
    const cases: Record<string, string[]> = {
      '': ['Cleo', 'Bob Smith', 'Ann Smith'],
      '?sort=fullname&direction=1': ['Ann Smith', 'Bob Smith', 'Cleo'],
      '?sortField=fullname&direction=1&limit=1&page=1': ['Bob Smith'],
      '?email=ann@x.org': ['Ann Smith'],
      '?with_email=1': ['Cleo', 'Ann Smith'],
      '?with_fullname=': ['Cleo', 'Bob Smith', 'Ann Smith'],
      '?tags=vip': ['Cleo'],
      '?full_text=smith': ['Bob Smith', 'Ann Smith'],
      '?full_text=c@x.org': ['Cleo'],
      '?full_text=smith ann': ['Ann Smith'],
      '?full_text=smith "ann': ['Ann Smith'],
      '?full_text=smith -ann': ['Ann Smith'],
      '?full_text=sm b': ['Bob Smith'],
      '?full_text=mith': [],
      '?full_text=x.or': ['Cleo', 'Ann Smith'],
      '?full_text="': [],
      '?status=50': [],
    };
    for (const [query, names] of Object.entries(cases))
      expect(await namesOf(encodeURI(query)), query).to.deep.equal(names);
    expect(await list('?limit=1')).to.include({ perPage: 1, count: 3 });
    expect(await list('?count=false')).to.include({ perPage: 40, count: 0 });
  });
});
