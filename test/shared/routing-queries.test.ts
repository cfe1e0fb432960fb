/** No question of routing walks through a whole collection, and a long history is not looked at. */
import { expect } from 'chai';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import { isBehind, projectsWithLines } from '#shared/domain/routing/line.ts';
import { sweepClaims } from '#shared/domain/routing/claim-sweep.ts';
import { newId } from '#shared/context.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aBot, aDepartment, put } from '../support/destinations.ts';
import { examinedBy, expectIndexes, queriesDuring } from '../support/plans.ts';
import { stopRelaying } from '../support/relay.ts';
import { times } from '../support/stage.ts';

const WATCHED = ['requests', 'project_users', 'departments', 'groups', 'bots', 'projects', 'routing_turns'];
const HISTORY = 300;
const FEW = 20;

type World = Awaited<ReturnType<typeof aConversation>>;

/** A department of two groups that take turns. */
const aSharedDepartment = async (world: World) => {
  const { project, owner, agent } = world;
  const group = ({ id }: { id: string }) => ({ id_project: project.id, name: 'G', members: [id], createdBy: owner.id });
  const groups = await Group.create([group(owner), group(agent)]);
  return aDepartment(world, { groups: groups.map(({ _id }) => ({ id_group: String(_id), percentage: 50 })) });
};

/** Many that were closed, and many that wait in a pool. */
const aHistory = ({ project, owner }: World, pool: string) => {
  const one = (at: number) => ({
    ...{ id_project: project.id, request_id: newId(), ticket_id: 1000 + at, first_text: 'Hi', createdBy: owner.id },
    ...{ department: pool, status: at % 2 ? 1000 : 100, snapshot: {} },
  });
  return Request.insertMany(times(HISTORY, one));
};

describe('Every query of routing', () => {
  it('uses an index', async () => {
    const world = await aConversation();
    const { project, guest, agent, one, root } = world;
    const shared = await aSharedDepartment(world);
    const withBot = await aDepartment(world, { id_bot: await aBot(world) });
    const pool = await aDepartment(world, { routing: 'pooled' });
    await aHistory(world, pool);
    await stopRelaying();
    const queries = await queriesDuring(WATCHED, async () => {
      for (const departmentid of [shared, shared, withBot, pool])
        await api(guest).post(`${root}/${newId()}/messages`, { text: 'Hi', departmentid });
      for (const departmentid of [shared, withBot]) await put(world, 'departments', { departmentid });
      await put(world, 'agent');
      await api(agent).get(`${one}/routing`);
      await serveWaiting(project.id);
      await sweepClaims();
    });
    expect(queries.map(({ kind }) => kind))
      .to.include('find')
      .and.include('findAndModify')
      .and.include('update');
    await expectIndexes(queries);
  });

  it('finds the line of a department without looking at what else waits or waited', async () => {
    const world = await aConversation();
    const { project, guest, root } = world;
    await aHistory(world, await aDepartment(world, { routing: 'pooled' }));
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: false } });
    await api(guest).post(`${root}/${newId()}/messages`, { text: 'Hi' });
    const { _id } = await Department.findOne({ id_project: project.id, default: true }).orFail();
    const place = { id_project: project.id, department: String(_id) };
    const queries = await queriesDuring(['requests'], async () => {
      expect(await isBehind(place, [{ _id: newId() }])).to.equal(true);
      await serveWaiting(project.id);
    });
    expect(await examinedBy(queries)).to.be.below(FEW);
  });

  it('hops from project to project for those with lines', async () => {
    const world = await aConversation();
    await aHistory(world, await aDepartment(world));
    const found: string[] = [];
    const queries = await queriesDuring(['requests'], async () => {
      for await (const project of projectsWithLines()) found.push(project);
    });
    expect(found).to.include(world.project.id);
    expect(new Set(found).size).to.equal(found.length);
    expect(await examinedBy(queries)).to.be.below(FEW * found.length);
  });
});
