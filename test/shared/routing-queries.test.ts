/** Routing queries use indexes and do not examine closed conversations. */
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import { sweepReservations } from '#shared/domain/routing/reservation-sweep.ts';
import { hasEarlierTicket, projectsWithWaitingConversations } from '#shared/domain/routing/waiting-queue.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aBotId, aDepartment, putAsAgent } from '../support/assignment-targets.ts';
import { aConversation } from '../support/conversations.ts';
import { countExamined, expectIndexes, queriesDuring } from '../support/explain.ts';
import { times } from '../support/fleet-fixture.ts';

const WATCHED_COLLECTIONS = ['requests', 'project_users', 'departments', 'groups', 'bots', 'projects', 'routing_turns'];
const HISTORY_SIZE = 300;
const MAX_EXAMINED = 20;

type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

/** A department with two groups, each of which receives 50 percent of the department's conversations. */
const aSharedDepartment = async (fixture: ConversationFixture) => {
  const { project, owner, agent } = fixture;
  const group = ({ id }: { id: string }) => ({ id_project: project.id, name: 'G', members: [id], createdBy: owner.id });
  const groups = await Group.create([group(owner), group(agent)]);
  return aDepartment(fixture, { groups: groups.map(({ _id }) => ({ id_group: String(_id), percentage: 50 })) });
};

/** Many conversations of the department `pool`: half of them are closed, and half are waiting. */
const aHistory = ({ project, owner }: ConversationFixture, pool: string) => {
  const one = (index: number) => ({
    ...{ id_project: project.id, request_id: newId(), ticket_id: 1000 + index, first_text: 'Hi', createdBy: owner.id },
    ...{ department: pool, status: index % 2 ? 1000 : 100, snapshot: {} },
  });
  return Conversation.insertMany(times(HISTORY_SIZE, one));
};

describe('Database queries for routing', () => {
  it('every database query that routing makes uses an index', async () => {
    const fixture = await aConversation();
    const { project, guest, agent, one, root } = fixture;
    const shared = await aSharedDepartment(fixture);
    const withBot = await aDepartment(fixture, { id_bot: await aBotId(fixture) });
    const pool = await aDepartment(fixture, { routing: 'pooled' });
    await aHistory(fixture, pool);
    const queries = await queriesDuring(WATCHED_COLLECTIONS, async () => {
      for (const departmentid of [shared, shared, withBot, pool])
        await api(guest).post(`${root}/${newId()}/messages`, { text: 'Hi', departmentid });
      for (const departmentid of [shared, withBot]) await putAsAgent(fixture, 'departments', { departmentid });
      await putAsAgent(fixture, 'agent');
      await api(agent).get(`${one}/routing`);
      await assignWaiting(project.id);
      await sweepReservations();
    });
    expect(queries.map(({ kind }) => kind))
      .to.include('find')
      .and.include('findAndModify')
      .and.include('update');
    await expectIndexes(queries);
  });

  it('reading the waiting queue of a department does not examine other conversations', async () => {
    const fixture = await aConversation();
    const { project, guest, root } = fixture;
    await aHistory(fixture, await aDepartment(fixture, { routing: 'pooled' }));
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: false } });
    await api(guest).post(`${root}/${newId()}/messages`, { text: 'Hi' });
    const { _id } = await Department.findOne({ id_project: project.id, default: true }).orFail();
    const queue = { id_project: project.id, department: String(_id) };
    const queries = await queriesDuring(['requests'], async () => {
      expect(await hasEarlierTicket(queue, [{ _id: newId() }])).to.equal(true);
      await assignWaiting(project.id);
    });
    expect(await countExamined(queries)).to.be.below(MAX_EXAMINED);
  });

  it('finding the projects with waiting conversations examines few records of each project', async () => {
    const fixture = await aConversation();
    await aHistory(fixture, await aDepartment(fixture));
    const projectIds: string[] = [];
    const queries = await queriesDuring(['requests'], async () => {
      for await (const project of projectsWithWaitingConversations()) projectIds.push(project);
    });
    expect(projectIds).to.include(fixture.project.id);
    expect(new Set(projectIds).size).to.equal(projectIds.length);
    expect(await countExamined(queries)).to.be.below(MAX_EXAMINED * projectIds.length);
  });
});
