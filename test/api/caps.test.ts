/** How many records of one kind a project may have, and what the answers to callers without credentials hold at most. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { Department } from '#shared/models/department.ts';
import { anApi, api, call } from '../support/api.ts';
import { type Kind, KINDS } from '../support/kinds.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

const CAPS: [Kind, collection: string, most: number][] = [
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

const bare = (id_project: string) => {
  const own = randomUUID();
  const names = { name: own, tag: own, email: `${own}@example.com`, id: own, target: own, event: 'request.create' };
  return { id_project, ...names, trashed: false, default: false, status: 1, createdBy: 'test' };
};

const slim = (id_project: string, name: string) => ({ id_project, name, createdBy: 'test' });

/** Fill a collection of the project up to so many records. */
const fill = async (id_project: string, name: string, most: number) => {
  const stored = mongoose.connection.collection(name);
  const missing = most - (await stored.countDocuments({ id_project }));
  await stored.insertMany(times(missing, () => bare(id_project)));
  return stored;
};

describe('A project', () => {
  for (const [kind, name, most] of CAPS)
    it(`has at most ${most} ${name}; one more is refused with 403 and the limit, until one is deleted`, async () => {
      const world = await aProject();
      const { id } = world.project;
      await api(world.owner).get(`/v3/${id}/kb/namespace/all`); // makes the one that every project has
      const stored = await fill(id, name, most);
      const refused = await KINDS[kind](world).then(
        () => 'made',
        (error: Error) => error.message,
      );
      expect(refused).to.include('LIMIT_REACHED').and.include(`"plan_limit":${most}`);
      expect(await stored.countDocuments({ id_project: id })).to.equal(most);
      await stored.deleteOne({ id_project: id, createdBy: 'test', default: false });
      await KINDS[kind](world);
      expect(await stored.countDocuments({ id_project: id })).to.equal(most);
    });

  it('is told of a subscription that it has, also when it has as many as it may', async () => {
    const world = await aProject();
    const { id } = world.project;
    const body = { event: 'request.create', target: 'https://hooks.example.com/one' };
    const add = () => api(world.admin).post(`/v3/${id}/subscriptions`, body);
    const first = await add();
    await fill(id, 'subscriptions', 200);
    const again = await add();
    expect([again.status, again.body._id]).to.deep.equal([200, first.body._id]);
  });

  it('passes a cap by no more than the calls that are made at the same moment', async () => {
    const world = await aProject();
    const stored = await fill(world.project.id, 'tags', 995);
    await Promise.allSettled(times(20, () => KINDS.tag(world)));
    expect(await stored.countDocuments({ id_project: world.project.id })).to.be.within(1000, 1015);
    const after = await Promise.allSettled(times(3, () => KINDS.tag(world)));
    expect(after.map(({ status }) => status)).to.deep.equal(times(3, () => 'rejected'));
  });
});

describe('An answer to a caller without credentials', () => {
  for (const path of ['widgets', 'departments'])
    it(`holds at most 200 departments in 256 KB (${path})`, async () => {
      const { project, agent } = await aProject();
      const get = async () => {
        const { body, text } = await call('GET', `${await anApi()}/v3/${project.id}/${path}`, {});
        return { list: (body.departments ?? body) as { name: string }[], bytes: text.length };
      };
      await Department.insertMany(times(300, (at) => slim(project.id, `Department ${at}`)));
      expect((await get()).list).to.have.length(200);
      await Department.updateMany({ id_project: project.id }, { $set: { description: 'x'.repeat(4000) } });
      const { list, bytes } = await get();
      expect(list.length).to.be.within(50, 70);
      expect(bytes).to.be.below(300_000);
      expect((await api(agent).get(`/v3/${project.id}/departments`)).body).to.have.length(301);
    });
});
