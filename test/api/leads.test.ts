/** How teammates create, change, list and delete leads, and the events of each change. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN_ID } from '../support/valid-call.ts';

type Fields = Record<string, unknown>;

describe('Leads', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let root: string;

  const createLead = async (lead: Fields) => (await api(fixture.agent).post(root, lead)).body;
  const list = async (query = '') => (await api(fixture.agent).get(root + query)).body;
  const namesOf = async (query: string) => (await list(query)).leads.map(({ fullname }: Fields) => fullname);
  const eventsOf = async (id: string) =>
    (await relayedChanges(fixture.project.id))
      .filter(({ payload }) => String((payload as Fields)._id) === id)
      .map(({ event }) => event);

  beforeEach(async () => {
    fixture = await aProject();
    root = `/v3/${fixture.project.id}/leads`;
  });

  it('creating a lead stores only the documented fields and emits lead.create', async () => {
    const attributes = { plan: { size: 3 } };
    const lead = await createLead({
      lead_id: 'mine',
      fullname: 'Ann',
      email: 'ann@x.org',
      attributes,
      company: 'none',
    });
    expect(lead).to.deep.include({ lead_id: 'mine', fullname: 'Ann', email: 'ann@x.org', attributes, tags: [] });
    expect(lead).to.deep.include({ status: 100, createdBy: fixture.agent.id, id_project: fixture.project.id });
    expect(lead).to.not.have.property('company');
    expect((await api(fixture.agent).get(`${root}/${lead._id}`)).body).to.deep.equal(lead);
    expect((await createLead({ lead_id: null })).lead_id).to.match(/^[0-9a-f-]{36}$/);
    expect(await eventsOf(lead._id)).to.deep.equal(['lead.create']);
  });

  it('creating a second lead with the same lead_id in a project returns 409', async () => {
    const lead_id = randomUUID();
    const [first, second] = [await createLead({ lead_id }), await api(fixture.agent).post(root, { lead_id })];
    expect(second).to.deep.include({ status: 409 });
    expect((await list()).leads).to.deep.equal([first]);
  });

  it('an update of a lead leaves absent and null fields unchanged', async () => {
    const created = await createLead({ fullname: 'Ann', email: 'ann@x.org', attributes: { a: 1, b: 2 } });
    const change = { fullname: null, city: 'Rome', tags: ['a'], attributes: { c: 3 }, status: 50 };
    const { body } = await api(fixture.agent).put(`${root}/${created._id}`, change);
    const { updatedAt } = body;
    expect(body).to.deep.equal({ ...created, ...change, fullname: 'Ann', updatedAt, __v: created.__v + 1 });
    expect((await api(fixture.agent).put(`${root}/${created._id}`, { fullname: null })).body).to.deep.equal(body);
    expect(await eventsOf(created._id)).to.deep.equal(['lead.create', 'lead.update']);
  });

  it('an update of a lead emits lead.fullname.update if it sets the name, lead.email.update if it sets the email address, and lead.fullname.email.update in either case', async () => {
    const eventsOfUpdate = async (change: Fields) => {
      const { _id } = await createLead({});
      await api(fixture.agent).put(`${root}/${_id}`, change);
      return (await eventsOf(_id)).slice(1);
    };
    const bothEvent = 'lead.fullname.email.update';
    expect(await eventsOfUpdate({ fullname: 'Ann' })).to.deep.equal(['lead.update', 'lead.fullname.update', bothEvent]);
    expect(await eventsOfUpdate({ email: 'a@x.org' })).to.deep.equal(['lead.update', 'lead.email.update', bothEvent]);
  });

  it('an update of a lead returns 404 for an unknown id and 422 for an unknown status', async () => {
    for (const [path, body] of Object.entries({ '': { fullname: 'Ann' }, '/tag': ['a'] }))
      expect((await api(fixture.agent).put(`${root}/${UNKNOWN_ID}${path}`, body)).status).to.equal(404);
    expect((await list()).count).to.equal(0);
    const { _id } = await createLead({});
    expect((await api(fixture.agent).put(`${root}/${_id}`, { status: 7 })).status).to.equal(422);
  });

  it('a lead contains each tag once, and removing a tag emits no event', async () => {
    const { _id } = await createLead({});
    const tag = `${root}/${_id}/tag`;
    await api(fixture.agent).put(tag, ['a', 'b']);
    expect((await api(fixture.agent).put(tag, ['b', 'c', 'c'])).body.tags).to.deep.equal(['a', 'b', 'c']);
    expect((await api(fixture.agent).delete(`${tag}/b`)).body.tags).to.deep.equal(['a', 'c']);
    const many = Array.from({ length: 99 }, (_, index) => `tag ${index}`);
    expect((await api(fixture.agent).put(tag, many)).status).to.equal(422);
    const none = await api(fixture.agent).put(tag, []);
    expect([none.status, typeof none.body.message]).to.deep.equal([400, 'string']);
    expect(await eventsOf(_id)).to.deep.equal(['lead.create', 'lead.update', 'lead.update']);
  });

  it('setting attributes or properties of a lead replaces only the given keys', async () => {
    const { _id } = await createLead({ attributes: { a: 1, deep: { x: 1 } } });
    const { body } = await api(fixture.agent).patch(`${root}/${_id}/attributes`, { b: 2, deep: { y: 2 } });
    expect(body.attributes).to.deep.equal({ a: 1, b: 2, deep: { y: 2 } });
    for (const method of ['patch', 'post'] as const)
      await api(fixture.agent)[method](`${root}/${_id}/properties`, { [method]: true });
    expect((await api(fixture.agent).get(`${root}/${_id}`)).body.properties).to.deep.equal({ patch: true, post: true });
  });

  it('lead attributes that exceed their size limit, and keys that are paths or operators, are refused (422)', async () => {
    const { _id } = await createLead({});
    const merge = (values: object) => api(fixture.agent).patch(`${root}/${_id}/attributes`, values);
    expect((await merge({ a: 'x'.repeat(60_000) })).status).to.equal(200);
    expect((await merge({ b: 'x'.repeat(60_000) })).status).to.equal(422);
    for (const key of ['', '$set', 'a.b', '__proto__x.y']) expect((await merge({ [key]: 1 })).status).to.equal(422);
    expect(Object.keys((await api(fixture.agent).get(`${root}/${_id}`)).body.attributes)).to.deep.equal(['a']);
  });

  it('deleting a lead sets its status and emits lead.delete once, and an owner can remove the lead permanently', async () => {
    const { _id } = await createLead({});
    const one = `${root}/${_id}`;
    for (const _ of [1, 2]) expect((await api(fixture.agent).delete(one)).body).to.include({ _id, status: 1000 });
    expect([(await list()).count, (await list('?status=1000')).count]).to.deep.equal([0, 1]);
    expect((await api(fixture.admin).delete(`${one}/physical`)).status).to.equal(403);
    const { body } = await api(fixture.owner).delete(`${one}/physical`);
    expect(body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect((await api(fixture.agent).get(one)).status).to.equal(404);
    expect(await eventsOf(_id)).to.deep.equal(['lead.create', 'lead.delete']);
  });

  it('removing a lead permanently without deleting it first emits lead.delete', async () => {
    const { _id } = await createLead({});
    await api(fixture.owner).delete(`${root}/${_id}/physical`);
    expect(await eventsOf(_id)).to.deep.equal(['lead.create', 'lead.delete']);
  });

  it('leads are filtered by email address, presence of a field, tag and words, and returned in pages', async () => {
    await createLead({ fullname: 'Ann Smith', email: 'ann@x.org' });
    await createLead({ fullname: 'Bob Smith' });
    const { _id } = await createLead({ email: 'c@x.org' });
    await api(fixture.agent).put(`${root}/${_id}`, { fullname: 'Cleo', tags: ['vip'] });
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
