import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Project } from '#shared/models/project.ts';
import { api } from '../support/api.ts';
import { aProject, aTeammate } from '../support/people.ts';

const at = (id: string, more = '') => `/v3/projects/${id}${more}`;
const ROME = '{"1":[{"start":"09:00","end":"18:00"}],"tzname":"Europe/Rome"}';
const NEVER = '{"tzname":"Europe/Rome"}';

describe('isopen', () => {
  const openAt = async (id: string, query = '') => (await api().get(at(id, `/isopen?${query}`))).body;

  it('needs no credentials, and is true while hours are off', async () => {
    const { project, admin } = await aProject();
    expect(await openAt(project.id)).to.deep.equal({ isopen: true });
    await api(admin).put(at(project.id), { operatingHours: NEVER });
    expect(await openAt(project.id)).to.deep.equal({ isopen: true });
    await api(admin).put(at(project.id), { activeOperatingHours: true });
    expect(await openAt(project.id)).to.deep.equal({ isopen: false });
  });

  it('tells of any moment, in whatever offset it is written', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(at(project.id), { activeOperatingHours: true, operatingHours: ROME });
    const moments: [string, boolean][] = [
      ['2026-11-23T07:59:59Z', false],
      ['2026-11-23T08:00:00Z', true],
      ['2026-11-23T03:00:00-05:00', true],
      ['2026-11-23T18:00:00%2B01:00', false],
      ['2026-07-20T07:00:00Z', true],
      ['2026-11-22T10:00:00Z', false],
    ];
    for (const [moment, isopen] of moments)
      expect(await openAt(project.id, `at=${moment}`), moment).to.deep.equal({ isopen });
    expect((await api().get(at(project.id, '/isopen?at=yesterday'))).status).to.equal(422);
  });

  it('tells of a time slot by its id', async () => {
    const { project, admin } = await aProject();
    expect(await openAt(project.id, 'timeSlot=any')).to.deep.equal({ isopen: true });
    const timeSlots = {
      night: { name: 'Night', active: true, hours: NEVER },
      off: { name: 'Off', active: false, hours: NEVER },
      '7f1d0cb5-3a4e': { name: 'Rome', active: true, hours: ROME },
    };
    await api(admin).put(at(project.id), { timeSlots });
    expect(await openAt(project.id, 'timeSlot=night')).to.deep.equal({ isopen: false });
    expect(await openAt(project.id, 'timeSlot=off')).to.deep.equal({ isopen: true });
    expect(await openAt(project.id, 'timeSlot=7f1d0cb5-3a4e&at=2026-11-23T08:00:00Z')).to.deep.equal({ isopen: true });
    expect((await openAt(project.id, 'timeSlot=day')).error).to.deep.equal({
      errorCode: 1030,
      msg: 'No time slot day',
    });
  });

  it('says what is wrong by the number of the contract', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(at(project.id), { activeOperatingHours: true });
    const empty = await api().get(at(project.id, '/isopen'));
    expect(empty.status).to.equal(500);
    expect(empty.body.msg.errorCode).to.equal(1020);
    await Project.updateOne({ _id: project.id }, { operatingHours: 'written by another program' });
    expect((await openAt(project.id)).msg.errorCode).to.equal(3000);
    const unknown = await api().get(at('0'.repeat(24), '/isopen'));
    expect([unknown.status, unknown.body.msg.errorCode]).to.deep.equal([404, 1010]);
  });

  it('is true when a trial is over, where the instance has trials', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(at(project.id), { activeOperatingHours: true, operatingHours: NEVER });
    await Project.updateOne({ _id: project.id }, { 'profile.trialDays': -1 });
    expect(await openAt(project.id)).to.deep.equal({ isopen: false });
    config.TRIAL_MODE = true;
    try {
      expect(await openAt(project.id)).to.deep.equal({ isopen: true });
    } finally {
      config.TRIAL_MODE = false;
    }
  });
});

describe('users/availables', () => {
  const idsOf = async (id: string, query = ''): Promise<string[]> => {
    const { body } = await api().get(at(id, `/users/availables?${query}`));
    return body.map(({ id }: { id: string }) => id).toSorted();
  };

  it('shows teammates who are there, and of each no more than a visitor may see', async () => {
    const { project, owner, admin, agent } = await aProject();
    const [away, disabled, trashed] = await Promise.all(
      ['agent', 'agent', 'agent'].map((role) => aTeammate(project.id, role)),
    );
    const set = (person: { id: string } | undefined, change: object) =>
      ProjectUser.updateOne({ id_project: project.id, id_user: person?.id ?? '' }, change);
    await Promise.all([
      set(away, { user_available: false }),
      set(disabled, { status: 'disabled' }),
      set(trashed, { trashed: true }),
    ]);
    const { body } = await api().get(at(project.id, '/users/availables'));
    const shown = body.find(({ id }: { id: string }) => id === agent.id);
    const { _id: membership } = (await ProjectUser.findOne({ id_project: project.id, id_user: agent.id }).lean()) as {
      _id: unknown;
    };
    expect(shown).to.deep.equal({
      ...{ id: agent.id, pu_id: String(membership) },
      ...{ firstname: 'Ann', lastname: 'Lee', fullname: 'Ann Lee', assigned_request: 0 },
    });
    expect(await idsOf(project.id)).to.deep.equal([owner.id, admin.id, agent.id].toSorted());
  });

  it('is empty while the project is closed, but for `raw=true`', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(at(project.id), { activeOperatingHours: true, operatingHours: NEVER });
    expect(await idsOf(project.id)).to.deep.equal([]);
    expect(await idsOf(project.id, 'raw=false')).to.deep.equal([]);
    expect(await idsOf(project.id, 'raw=true')).to.have.lengthOf(3);
  });

  it('knows the departments of the project alone (404)', async () => {
    const [{ project }, other] = await Promise.all([aProject(), aProject()]);
    const departmentOf = async (id: string) => (await api().get(`/v3/${id}/widgets`)).body.departments[0]._id;
    expect(await idsOf(project.id, `department=${await departmentOf(project.id)}`)).to.have.lengthOf(3);
    for (const department of [await departmentOf(other.project.id), 'nonsense'])
      expect((await api().get(at(project.id, `/users/availables?department=${department}`))).status).to.equal(404);
  });

  it('are those of the groups of a department: of all that are enabled, or of its one', async () => {
    const { project, owner, admin, agent } = await aProject();
    const base = { id_project: project.id, createdBy: 'a test' };
    const [one, two, off] = await Group.create([
      { ...base, name: 'One', members: [owner.id] },
      { ...base, name: 'Two', members: [agent.id, owner.id] },
      { ...base, name: 'Off', members: [admin.id], enabled: false },
    ]);
    const withGroups = async (more: object) => {
      const [made] = await Department.create([{ ...base, name: 'Sales', ...more }]);
      return `department=${String(made?._id)}`;
    };
    const groupOf = (group: { _id: unknown } | undefined) => ({ id_group: String(group?._id) });
    const statusOf = async (query: string) => (await api().get(at(project.id, `/users/availables?${query}`))).status;
    const both = await withGroups({ ...groupOf(off), groups: [one, two, off].map(groupOf) });
    expect(await idsOf(project.id, both)).to.deep.equal([owner.id, agent.id].toSorted());
    expect(await idsOf(project.id, await withGroups(groupOf(one)))).to.deep.equal([owner.id]);
    expect(await idsOf(project.id, await withGroups({ groups: [] }))).to.have.lengthOf(3);
    for (const disabled of [groupOf(off), { groups: [groupOf(off)] }])
      expect(await statusOf(await withGroups(disabled))).to.equal(403);
    expect(await statusOf(await withGroups({ id_group: '0'.repeat(24) }))).to.equal(404);
  });

  it('leaves out who has as many conversations as it may have', async () => {
    const { project, owner, admin, agent } = await aProject();
    const load = (person: { id: string }, number_assigned_requests: number, max_assigned_chat?: number) =>
      ProjectUser.updateOne(
        { id_project: project.id, id_user: person.id },
        { number_assigned_requests, ...(max_assigned_chat === undefined ? {} : { max_assigned_chat }) },
      );
    await Promise.all([load(owner, 3), load(admin, 3, 4), load(agent, 1, 1)]);
    expect(await idsOf(project.id), 'no limit').to.have.lengthOf(3);
    await api(admin).patch(at(project.id), { 'settings.chat_limit_on': true });
    expect(await idsOf(project.id), 'no limit set').to.have.lengthOf(3);
    await api(admin).patch(at(project.id), { 'settings.max_agent_assigned_chat': 3 });
    expect(await idsOf(project.id)).to.deep.equal([admin.id]);
    await load(owner, 2, -1);
    expect(await idsOf(project.id), 'no limit of its own').to.deep.equal([owner.id, admin.id].toSorted());
  });
});
