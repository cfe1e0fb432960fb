/** Who serves a department: groups with their percentages, hours and limits, against MongoDB (contract b 2.4, decision 18). */
import { expect } from 'chai';
import { claim } from '#shared/domain/routing/claims.ts';
import { place } from '#shared/domain/routing/place.ts';
import { plan } from '#shared/domain/routing/plan.ts';
import { simulate } from '#shared/domain/routing/simulate.ts';
import { creditsOf } from '#shared/domain/routing/turns.ts';
import { newId } from '#shared/context.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { aProject, aTeammate } from '../support/people.ts';
import { times } from '../support/stage.ts';

const TURNS = 40;

const aWorld = async () => {
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
      const made = { id_project, name: 'D', routing: 'assigned', createdBy, ...fields };
      return String((await Department.create([made]))[0]?._id);
    },
    teammate: () => aTeammate(id_project, 'agent'),
    settings: (set: object) => Project.updateOne({ _id: id_project }, { $set: set }),
    /** Whom the next ones are given to, one after the other. */
    given: async (department: string, many = 1) => {
      const groups: (string | undefined)[] = [];
      for (const _ of times(many, Number)) {
        const { decision } = await place(await plan(id_project, department), { request: newId(), trigger: 'arrival' });
        groups.push(decision.group ?? decision.chosen ?? undefined);
      }
      return groups;
    },
  };
};

const counted = (all: unknown[], one: unknown) => all.filter((each) => each === one).length;

describe('The groups of a department', () => {
  it('alone may serve it, unless they are disabled, trashed or gone', async () => {
    const { aGroup, aDepartment, teammate, given, id_project } = await aWorld();
    const [member, other] = [await teammate(), await teammate()];
    const id_group = await aGroup([member.id]);
    expect(await given(await aDepartment({ id_group }), 2)).to.deep.equal([member.id, member.id]);
    const groups = [{ id_group: await aGroup([other.id], { enabled: false }) }, { id_group: newId() }, { id_group }];
    expect(await given(await aDepartment({ groups }))).to.deep.equal([member.id]);
    await Group.updateMany({ id_project }, { $set: { trashed: true } });
    expect((await plan(id_project, await aDepartment({ id_group }))).agents).to.have.length(5);
  });

  it('have exactly their percentages, however many come at once, and a dry run foretells them', async () => {
    const { aGroup, aDepartment, teammate, given, id_project } = await aWorld();
    const ids = await Promise.all(times(3, async () => aGroup([(await teammate()).id])));
    const [half, third, rest] = ids;
    const percentages = [50, 30, 20];
    const groups = ids.map((id_group, i) => ({ id_group, percentage: percentages[i] }));
    const department = await aDepartment({ groups });
    const foretold = (await simulate(id_project, department, { requests: 10 })).map(({ group }) => group);
    expect(await given(department, 10)).to.deep.equal(foretold);
    const all = (await Promise.all(times(TURNS, () => given(department)))).flat();
    expect([half, third, rest].map((group) => counted(all, group))).to.deep.equal([20, 12, 8]);
  });

  it('pass a turn that none of them can take, without losing or keeping it', async () => {
    const { aGroup, aDepartment, teammate, given, id_project } = await aWorld();
    const [one, two] = [await teammate(), await teammate()];
    const ids = [await aGroup([one.id]), await aGroup([two.id])];
    const groups = ids.map((id_group, i) => ({ id_group, percentage: i ? 90 : 10 }));
    const department = await aDepartment({ groups });
    const there = await plan(id_project, department);
    const shares = there.shares ?? [];
    // The plan still has room in the group that has its turn; the claim finds none.
    await ProjectUser.updateOne({ id_project, id_user: two.id }, { $set: { user_available: false } });
    const { decision } = await place(there, { request: newId(), trigger: 'arrival' });
    expect([decision.group, decision.chosen]).to.deep.equal([ids[0], one.id]);
    expect(await creditsOf({ id_project, department, shares })).to.deep.equal({ [ids[0] ?? '']: 0, [ids[1] ?? '']: 0 });
    await ProjectUser.updateOne({ id_project, id_user: two.id }, { $set: { user_available: true } });
    expect(counted(await given(department, 10), ids[1])).to.equal(9);
  });

  it('are never chosen by a percentage of 0, and are one where none has any', async () => {
    const { aGroup, aDepartment, teammate, given, id_project } = await aWorld();
    const [one, two] = [await teammate(), await teammate()];
    const ids = [await aGroup([one.id]), await aGroup([two.id])];
    const never = await aDepartment({ groups: ids.map((id_group, i) => ({ id_group, percentage: i ? 100 : 0 })) });
    expect(await given(never, 3)).to.deep.equal([ids[1], ids[1], ids[1]]);
    const together = await aDepartment({ groups: ids.map((id_group) => ({ id_group })) });
    expect(await given(together, 3)).to.deep.equal([one.id, one.id, one.id]);
    expect((await plan(id_project, together)).agents.map(({ id_user }) => id_user)).to.have.members([one.id, two.id]);
  });

  it('begin anew when the percentages are others', async () => {
    const { aGroup, aDepartment, teammate, given, id_project } = await aWorld();
    const ids = await Promise.all(times(2, async () => aGroup([(await teammate()).id])));
    const shares = (...all: number[]) => ids.map((id_group, i) => ({ id_group, percentage: all[i] }));
    const department = await aDepartment({ groups: shares(99, 1) });
    await given(department, 20);
    await Department.updateOne({ id_project, _id: department }, { $set: { groups: shares(50, 50) } });
    expect(counted(await given(department, 6), ids[0])).to.equal(3);
  });
});

describe('Limits and hours', () => {
  it("are the teammate's own, else the project's where its limit is on", async () => {
    const { id_project, settings } = await aWorld();
    const capacities = async () => (await plan(id_project)).agents.map(({ capacity }) => capacity);
    await ProjectUser.updateOne({ id_project, role: 'owner' }, { $set: { max_assigned_chat: 7 } });
    await ProjectUser.updateOne({ id_project, role: 'admin' }, { $set: { max_assigned_chat: -1 } });
    expect(await capacities()).to.have.members([7, null, null]);
    await settings({ 'settings.chat_limit_on': true, 'settings.max_agent_assigned_chat': 3 });
    expect(await capacities()).to.have.members([7, 3, 3]);
  });

  it('hold in the claim itself', async () => {
    const { id_project, owner } = await aWorld();
    const taking = () => claim({ id_project, request: newId(), limit: 2, among: [owner.id] });
    const taken = await Promise.all(times(6, taking));
    expect(taken.filter(Boolean)).to.have.length(2);
  });

  it('leave everybody out while the project is closed, and where its hours cannot be read', async () => {
    const { id_project, settings } = await aWorld();
    for (const operatingHours of [JSON.stringify({ tzname: 'Europe/Rome' }), 'unreadable']) {
      await settings({ activeOperatingHours: true, operatingHours });
      const [decision] = await simulate(id_project, undefined, { requests: 1 });
      expect(decision?.outcome).to.equal('nobody');
      expect(decision?.considered[0]?.reason).to.equal('project_closed');
    }
  });
});
