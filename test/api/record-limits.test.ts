/** Limits on the records of each kind in a project, and on the responses to callers without credentials. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { Department } from '#shared/models/department.ts';
import { anApi, api, call } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { RECORD_MAKERS, type RecordKind } from '../support/record-makers.ts';

const RECORD_LIMITS: [RecordKind, collection: string, limit: number][] = [
  ['department', 'departments', 1000],
  ['group', 'groups', 1000],
  ['bot', 'bots', 200],
  ['subscription', 'subscriptions', 200],
  ['invitation', 'pending_invitations', 1000],
  ['namespace', 'kb_namespaces', 200],
  ['tag', 'tags', 1000],
  ['canned', 'canned', 2000],
  ['segment', 'segments', 1000],
  ['property', 'properties', 500],
];

const minimalRecord = (id_project: string) => {
  const own = randomUUID();
  const names = { name: own, tag: own, email: `${own}@example.com`, id: own, target: own, event: 'request.create' };
  return { id_project, ...names, trashed: false, default: false, status: 1, createdBy: 'test' };
};

const namedRecord = (id_project: string, name: string) => ({ id_project, name, createdBy: 'test' });

/** Adds records to a collection until it contains `limit` records of the project, and returns the collection. */
const fillCollection = async (id_project: string, name: string, limit: number) => {
  const stored = mongoose.connection.collection(name);
  const missing = limit - (await stored.countDocuments({ id_project }));
  await stored.insertMany(times(missing, () => minimalRecord(id_project)));
  return stored;
};

describe('Record limits', () => {
  for (const [kind, name, limit] of RECORD_LIMITS)
    it(`a project has at most ${limit} records in ${name}; creating another one returns 403 with the limit until one is deleted`, async () => {
      const fixture = await aProject();
      const { id } = fixture.project;
      await api(fixture.owner).get(`/v3/${id}/kb/namespace/all`); // creates the default namespace of the project
      const stored = await fillCollection(id, name, limit);
      const refused = await RECORD_MAKERS[kind](fixture).then(
        () => 'created',
        (error: Error) => error.message,
      );
      expect(refused).to.include('LIMIT_REACHED').and.include(`"plan_limit":${limit}`);
      expect(await stored.countDocuments({ id_project: id })).to.equal(limit);
      await stored.deleteOne({ id_project: id, createdBy: 'test', default: false });
      await RECORD_MAKERS[kind](fixture);
      expect(await stored.countDocuments({ id_project: id })).to.equal(limit);
    });

  it('creating an existing subscription again returns it, even if the project has reached its limit', async () => {
    const fixture = await aProject();
    const { id } = fixture.project;
    const body = { event: 'request.create', target: 'https://hooks.example.com/one' };
    const add = () => api(fixture.admin).post(`/v3/${id}/subscriptions`, body);
    const first = await add();
    await fillCollection(id, 'subscriptions', 200);
    const again = await add();
    expect([again.status, again.body._id]).to.deep.equal([200, first.body._id]);
  });

  it('concurrent calls exceed a record limit by at most their own number', async () => {
    const fixture = await aProject();
    const stored = await fillCollection(fixture.project.id, 'tags', 995);
    await Promise.allSettled(times(20, () => RECORD_MAKERS.tag(fixture)));
    expect(await stored.countDocuments({ id_project: fixture.project.id })).to.be.within(1000, 1015);
    const after = await Promise.allSettled(times(3, () => RECORD_MAKERS.tag(fixture)));
    expect(after.map(({ status }) => status)).to.deep.equal(times(3, () => 'rejected'));
  });
});

describe('Unauthenticated department lists', () => {
  for (const path of ['widgets', 'departments'])
    it(`GET …/${path} without credentials returns at most 200 departments and about 256 KB`, async () => {
      const { project, agent } = await aProject();
      const get = async () => {
        const { body, text } = await call('GET', `${await anApi()}/v3/${project.id}/${path}`, {});
        return { list: (body.departments ?? body) as { name: string }[], bytes: text.length };
      };
      await Department.insertMany(times(300, (index) => namedRecord(project.id, `Department ${index}`)));
      expect((await get()).list).to.have.length(200);
      await Department.updateMany({ id_project: project.id }, { $set: { description: 'x'.repeat(4000) } });
      const { list, bytes } = await get();
      expect(list.length).to.be.within(50, 70);
      expect(bytes).to.be.below(300_000);
      expect((await api(agent).get(`/v3/${project.id}/departments`)).body).to.have.length(301);
    });
});
