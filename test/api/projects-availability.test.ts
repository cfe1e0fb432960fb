import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { changeProject } from '../support/change-project.ts';
import { aProject, aTeammate } from '../support/people.ts';

const projectPath = (id: string, more = '') => `/v3/projects/${id}${more}`;
const ROME_HOURS = '{"1":[{"start":"09:00","end":"18:00"}],"tzname":"Europe/Rome"}';
const NEVER_OPEN = '{"tzname":"Europe/Rome"}';

describe('GET /v3/projects/:project_id/isopen', () => {
  const isOpenAt = async (id: string, query = '') => (await api().get(projectPath(id, `/isopen?${query}`))).body;

  it('isopen needs no credentials and is true while operating hours are switched off', async () => {
    const { project, admin } = await aProject();
    expect(await isOpenAt(project.id)).to.deep.equal({ isopen: true });
    await api(admin).put(projectPath(project.id), { operatingHours: NEVER_OPEN });
    expect(await isOpenAt(project.id)).to.deep.equal({ isopen: true });
    await api(admin).put(projectPath(project.id), { activeOperatingHours: true });
    expect(await isOpenAt(project.id)).to.deep.equal({ isopen: false });
  });

  it('isopen evaluates the time `at`, which may have any UTC offset', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(projectPath(project.id), { activeOperatingHours: true, operatingHours: ROME_HOURS });
    const moments: [string, boolean][] = [
      ['2026-11-23T07:59:59Z', false],
      ['2026-11-23T08:00:00Z', true],
      ['2026-11-23T03:00:00-05:00', true],
      ['2026-11-23T18:00:00%2B01:00', false],
      ['2026-07-20T07:00:00Z', true],
      ['2026-11-22T10:00:00Z', false],
    ];
    for (const [moment, isopen] of moments)
      expect(await isOpenAt(project.id, `at=${moment}`), moment).to.deep.equal({ isopen });
    expect((await api().get(projectPath(project.id, '/isopen?at=yesterday'))).status).to.equal(422);
  });

  it('isopen with `timeSlot` evaluates the time slot with that id', async () => {
    const { project, admin } = await aProject();
    expect(await isOpenAt(project.id, 'timeSlot=any')).to.deep.equal({ isopen: true });
    const timeSlots = {
      night: { name: 'Night', active: true, hours: NEVER_OPEN },
      off: { name: 'Off', active: false, hours: NEVER_OPEN },
      '7f1d0cb5-3a4e': { name: 'Rome', active: true, hours: ROME_HOURS },
    };
    await api(admin).put(projectPath(project.id), { timeSlots });
    expect(await isOpenAt(project.id, 'timeSlot=night')).to.deep.equal({ isopen: false });
    expect(await isOpenAt(project.id, 'timeSlot=off')).to.deep.equal({ isopen: true });
    expect(await isOpenAt(project.id, 'timeSlot=7f1d0cb5-3a4e&at=2026-11-23T08:00:00Z')).to.deep.equal({
      isopen: true,
    });
    expect((await isOpenAt(project.id, 'timeSlot=day')).error).to.deep.equal({
      errorCode: 1030,
      msg: 'No time slot day',
    });
  });

  it('isopen returns each error with its documented errorCode', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(projectPath(project.id), { activeOperatingHours: true });
    const empty = await api().get(projectPath(project.id, '/isopen'));
    expect(empty.status).to.equal(500);
    expect(empty.body.msg.errorCode).to.equal(1020);
    await changeProject(project.id, { operatingHours: 'written by another program' });
    expect((await isOpenAt(project.id)).msg.errorCode).to.equal(3000);
    const unknown = await api().get(projectPath('0'.repeat(24), '/isopen'));
    expect([unknown.status, unknown.body.msg.errorCode]).to.deep.equal([404, 1010]);
  });

  it('with TRIAL_MODE, isopen is true for a project whose trial has ended', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(projectPath(project.id), { activeOperatingHours: true, operatingHours: NEVER_OPEN });
    await changeProject(project.id, { 'profile.trialDays': -1 });
    expect(await isOpenAt(project.id)).to.deep.equal({ isopen: false });
    config.TRIAL_MODE = true;
    try {
      expect(await isOpenAt(project.id)).to.deep.equal({ isopen: true });
    } finally {
      config.TRIAL_MODE = false;
    }
  });
});

describe('GET /v3/projects/:project_id/users/availables', () => {
  const idsOf = async (id: string, query = ''): Promise<string[]> => {
    const { body } = await api().get(projectPath(id, `/users/availables?${query}`));
    return body.map(({ id }: { id: string }) => id).toSorted();
  };

  it('users/availables lists available teammates with only the fields that visitors may see', async () => {
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
    const { body } = await api().get(projectPath(project.id, '/users/availables'));
    const listed = body.find(({ id }: { id: string }) => id === agent.id);
    const { _id: membership } = (await ProjectUser.findOne({ id_project: project.id, id_user: agent.id }).lean()) as {
      _id: unknown;
    };
    expect(listed).to.deep.equal({
      ...{ id: agent.id, pu_id: String(membership) },
      ...{ firstname: 'Ann', lastname: 'Lee', fullname: 'Ann Lee', assigned_request: 0 },
    });
    expect(await idsOf(project.id)).to.deep.equal([owner.id, admin.id, agent.id].toSorted());
  });

  it('users/availables is empty outside operating hours, except with `raw=true`', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(projectPath(project.id), { activeOperatingHours: true, operatingHours: NEVER_OPEN });
    expect(await idsOf(project.id)).to.deep.equal([]);
    expect(await idsOf(project.id, 'raw=false')).to.deep.equal([]);
    expect(await idsOf(project.id, 'raw=true')).to.have.lengthOf(3);
  });

  it('users/availables returns 404 for a department of another project', async () => {
    const [{ project }, other] = await Promise.all([aProject(), aProject()]);
    const departmentOf = async (id: string) => (await api().get(`/v3/${id}/widgets`)).body.departments[0]._id;
    expect(await idsOf(project.id, `department=${await departmentOf(project.id)}`)).to.have.lengthOf(3);
    for (const department of [await departmentOf(other.project.id), 'nonsense'])
      expect((await api().get(projectPath(project.id, `/users/availables?department=${department}`))).status).to.equal(
        404,
      );
  });

  it('users/availables of a department lists the members of the enabled groups in `groups` or, if that is absent, of the group in `id_group`', async () => {
    const { project, owner, admin, agent } = await aProject();
    const base = { id_project: project.id, createdBy: 'a test' };
    const [one, two, off] = await Group.create([
      { ...base, name: 'One', members: [owner.id] },
      { ...base, name: 'Two', members: [agent.id, owner.id] },
      { ...base, name: 'Off', members: [admin.id], enabled: false },
    ]);
    const withGroups = async (more: object) => {
      const [department] = await Department.create([{ ...base, name: 'Sales', ...more }]);
      return `department=${String(department?._id)}`;
    };
    const groupOf = (group: { _id: unknown } | undefined) => ({ id_group: String(group?._id) });
    const statusOf = async (query: string) =>
      (await api().get(projectPath(project.id, `/users/availables?${query}`))).status;
    const withBothFields = await withGroups({ ...groupOf(off), groups: [one, two, off].map(groupOf) });
    expect(await idsOf(project.id, withBothFields)).to.deep.equal([owner.id, agent.id].toSorted());
    expect(await idsOf(project.id, await withGroups(groupOf(one)))).to.deep.equal([owner.id]);
    expect(await idsOf(project.id, await withGroups({ groups: [] }))).to.have.lengthOf(3);
    for (const disabled of [groupOf(off), { groups: [groupOf(off)] }])
      expect(await statusOf(await withGroups(disabled))).to.equal(403);
    expect(await statusOf(await withGroups({ id_group: '0'.repeat(24) }))).to.equal(404);
  });

  it('users/availables omits teammates who have reached their conversation limit', async () => {
    const { project, owner, admin, agent } = await aProject();
    const setLoad = (person: { id: string }, number_assigned_requests: number, max_assigned_chat?: number) =>
      ProjectUser.updateOne(
        { id_project: project.id, id_user: person.id },
        { number_assigned_requests, ...(max_assigned_chat === undefined ? {} : { max_assigned_chat }) },
      );
    await Promise.all([setLoad(owner, 3), setLoad(admin, 3, 4), setLoad(agent, 1, 1)]);
    expect(await idsOf(project.id), 'limits off').to.have.lengthOf(3);
    await api(admin).patch(projectPath(project.id), { 'settings.chat_limit_on': true });
    expect(await idsOf(project.id), 'limits on, none set for the project').to.have.lengthOf(3);
    await api(admin).patch(projectPath(project.id), { 'settings.max_agent_assigned_chat': 3 });
    expect(await idsOf(project.id)).to.deep.equal([admin.id]);
    await setLoad(owner, 2, -1);
    expect(await idsOf(project.id), 'with max_assigned_chat -1, the limit of the project applies').to.deep.equal(
      [owner.id, admin.id].toSorted(),
    );
  });
});
