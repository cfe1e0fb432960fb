/**
 * Routing within a department, tested with MongoDB: groups with percentages of the conversations, operating hours, and
 * limits on the open conversations of an agent.
 */
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { assignConversation } from '#shared/domain/routing/assign-conversation.ts';
import { reserve } from '#shared/domain/routing/reservations.ts';
import { planRouting } from '#shared/domain/routing/routing-plan.ts';
import { simulate } from '#shared/domain/routing/simulation.ts';
import { readCredits } from '#shared/domain/routing/weighted-round-robin.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { changeProject } from '../support/change-project.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject, aTeammate } from '../support/people.ts';

const ASSIGNMENT_COUNT = 40;

const aRoutingProject = async () => {
  const { project, owner } = await aProject();
  const id_project = project.id;
  const createdBy = owner.id;
  return {
    id_project,
    owner,
    aGroup: async (members: string[], fields: object = {}) => {
      const [group] = await Group.create([{ id_project, name: 'G', members, createdBy, ...fields }]);
      return String(group?._id);
    },
    aDepartment: async (fields: object) => {
      const department = { id_project, name: 'D', routing: 'assigned', createdBy, ...fields };
      return String((await Department.create([department]))[0]?._id);
    },
    teammate: () => aTeammate(id_project, 'agent'),
    settings: (set: object) => changeProject(id_project, { $set: set }),
    /**
     * Assigns `count` new conversations, one after the other. Returns the chosen group of each conversation, or the
     * chosen agent if the department has no groups.
     */
    assignNext: async (department: string, count = 1) => {
      const assignees: (string | undefined)[] = [];
      for (const _ of times(count, Number)) {
        const { decision } = await assignConversation(await planRouting(id_project, department), {
          conversationId: newId(),
          trigger: 'arrival',
        });
        assignees.push(decision.group ?? decision.chosen ?? undefined);
      }
      return assignees;
    },
  };
};

const countEqual = (all: unknown[], one: unknown) => all.filter((each) => each === one).length;

describe('Groups of a department', () => {
  it('only groups that exist and are enabled serve their department', async () => {
    const { aGroup, aDepartment, teammate, assignNext, id_project } = await aRoutingProject();
    const [member, other] = [await teammate(), await teammate()];
    const id_group = await aGroup([member.id]);
    expect(await assignNext(await aDepartment({ id_group }), 2)).to.deep.equal([member.id, member.id]);
    const groups = [{ id_group: await aGroup([other.id], { enabled: false }) }, { id_group: newId() }, { id_group }];
    expect(await assignNext(await aDepartment({ groups }))).to.deep.equal([member.id]);
    await Group.updateMany({ id_project }, { $set: { trashed: true } });
    expect((await planRouting(id_project, await aDepartment({ id_group }))).agents).to.have.length(5);
  });

  it('groups receive exactly their percentages of concurrent arrivals, and a dry run predicts their turns', async () => {
    const { aGroup, aDepartment, teammate, assignNext, id_project } = await aRoutingProject();
    const ids = await Promise.all(times(3, async () => aGroup([(await teammate()).id])));
    const [half, third, rest] = ids;
    const percentages = [50, 30, 20];
    const groups = ids.map((id_group, i) => ({ id_group, percentage: percentages[i] }));
    const department = await aDepartment({ groups });
    const predicted = (await simulate(id_project, department, { requests: 10 })).map(({ group }) => group);
    expect(await assignNext(department, 10)).to.deep.equal(predicted);
    const all = (await Promise.all(times(ASSIGNMENT_COUNT, () => assignNext(department)))).flat();
    expect([half, third, rest].map((group) => countEqual(all, group))).to.deep.equal([20, 12, 8]);
  });

  it('a group without available agents passes its turn to the next group, and later receives its percentage again', async () => {
    const { aGroup, aDepartment, teammate, assignNext, id_project } = await aRoutingProject();
    const [one, two] = [await teammate(), await teammate()];
    const ids = [await aGroup([one.id]), await aGroup([two.id])];
    const groups = ids.map((id_group, i) => ({ id_group, percentage: i ? 90 : 10 }));
    const department = await aDepartment({ groups });
    const plan = await planRouting(id_project, department);
    const shares = plan.shares ?? [];
    // Makes the plan outdated: the agent of the group whose turn it is becomes unavailable.
    await ProjectUser.updateOne({ id_project, id_user: two.id }, { $set: { user_available: false } });
    const { decision } = await assignConversation(plan, { conversationId: newId(), trigger: 'arrival' });
    expect([decision.group, decision.chosen]).to.deep.equal([ids[0], one.id]);
    expect(await readCredits({ id_project, department, shares })).to.deep.equal({
      [ids[0] ?? '']: 0,
      [ids[1] ?? '']: 0,
    });
    await ProjectUser.updateOne({ id_project, id_user: two.id }, { $set: { user_available: true } });
    expect(countEqual(await assignNext(department, 10), ids[1])).to.equal(9);
  });

  it('a group with 0 percent is never chosen, and groups without percentages act as one group', async () => {
    const { aGroup, aDepartment, teammate, assignNext, id_project } = await aRoutingProject();
    const [one, two] = [await teammate(), await teammate()];
    const ids = [await aGroup([one.id]), await aGroup([two.id])];
    const never = await aDepartment({ groups: ids.map((id_group, i) => ({ id_group, percentage: i ? 100 : 0 })) });
    expect(await assignNext(never, 3)).to.deep.equal([ids[1], ids[1], ids[1]]);
    const together = await aDepartment({ groups: ids.map((id_group) => ({ id_group })) });
    expect(await assignNext(together, 3)).to.deep.equal([one.id, one.id, one.id]);
    expect((await planRouting(id_project, together)).agents.map(({ id_user }) => id_user)).to.have.members([
      one.id,
      two.id,
    ]);
  });

  it('changing the percentages of groups resets their turns', async () => {
    const { aGroup, aDepartment, teammate, assignNext, id_project } = await aRoutingProject();
    const ids = await Promise.all(times(2, async () => aGroup([(await teammate()).id])));
    const shares = (...all: number[]) => ids.map((id_group, i) => ({ id_group, percentage: all[i] }));
    const department = await aDepartment({ groups: shares(99, 1) });
    await assignNext(department, 20);
    await Department.updateOne({ id_project, _id: department }, { $set: { groups: shares(50, 50) } });
    expect(countEqual(await assignNext(department, 6), ids[0])).to.equal(3);
  });
});

describe('Limits and operating hours in routing', () => {
  it('the limit of a teammate defaults to the limit of the project if the project setting `chat_limit_on` is true', async () => {
    const { id_project, settings } = await aRoutingProject();
    const capacities = async () => (await planRouting(id_project)).agents.map(({ capacity }) => capacity);
    await ProjectUser.updateOne({ id_project, role: 'owner' }, { $set: { max_assigned_chat: 7 } });
    await ProjectUser.updateOne({ id_project, role: 'admin' }, { $set: { max_assigned_chat: -1 } });
    expect(await capacities()).to.have.members([7, null, null]);
    await settings({ 'settings.chat_limit_on': true, 'settings.max_agent_assigned_chat': 3 });
    expect(await capacities()).to.have.members([7, 3, 3]);
  });

  it('concurrent reservations never exceed the limit of an agent', async () => {
    const { id_project, owner } = await aRoutingProject();
    const reserveOnce = () => reserve({ id_project, request: newId(), limit: 2, userIds: [owner.id] });
    const taken = await Promise.all(times(6, reserveOnce));
    expect(taken.filter(Boolean)).to.have.length(2);
  });

  it('no agent is chosen outside the operating hours, or if the hours are invalid', async () => {
    const { id_project, settings } = await aRoutingProject();
    for (const operatingHours of [JSON.stringify({ tzname: 'Europe/Rome' }), 'unreadable']) {
      await settings({ activeOperatingHours: true, operatingHours });
      const [decision] = await simulate(id_project, undefined, { requests: 1 });
      expect(decision?.outcome).to.equal('nobody');
      expect(decision?.considered[0]?.reason).to.equal('project_closed');
    }
  });
});
