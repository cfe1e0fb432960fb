import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { api, type Caller } from '../support/api.ts';
import { changeProject } from '../support/change-project.ts';
import { aProject } from '../support/people.ts';
import { teamEvents } from '../support/team.ts';

const UNKNOWN_ID = '0'.repeat(24);
const PUBLIC_FIELDS = ['_id', 'id', 'id_project', 'name', 'routing', 'default', 'status'];
const TEXT_FIELDS = ['description', 'online_msg', 'offline_msg'];

const aDepartmentFixture = async () => {
  const fixture = await aProject();
  const root = `/v3/${fixture.project.id}/departments`;
  const make = async (body: object = {}, caller: Caller = fixture.admin) =>
    api(caller).post(root, { name: 'Sales', ...body });
  const aGroup = async (name = 'Group') =>
    (await api(fixture.admin).post(`/v3/${fixture.project.id}/groups`, { name, members: [fixture.agent.id] })).body;
  const aBot = async () =>
    String((await Bot.create([{ id_project: fixture.project.id, name: 'Bot', createdBy: 'x' }]))[0]?._id);
  return { ...fixture, root, make, aGroup, aBot };
};

const namesIn = (body: { name: string }[]) => body.map(({ name }) => name);

describe('Departments', () => {
  it('a department that an admin creates is pooled and visible by default', async () => {
    const { make, admin, project } = await aDepartmentFixture();
    const { status, body } = await make();
    expect(status).to.equal(200);
    expect(body).to.include({ id: body._id, id_project: project.id, name: 'Sales', createdBy: admin.id });
    expect(body).to.include({ routing: 'pooled', default: false, status: 1, hasBot: false });
    expect(await teamEvents(project.id)).to.include('department.create');
  });

  it('creating a department treats null as absent and requires a name (422)', async () => {
    const { make } = await aDepartmentFixture();
    const { body } = await make({ routing: null, id_group: null, id_bot: null, groups: null, default: null });
    expect(body).to.include({ routing: 'pooled', default: false }).and.not.have.any.keys('id_bot', 'id_group');
    expect((await make({ name: undefined })).status).to.equal(422);
  });

  it('a department stores and returns every field it was created with', async () => {
    const { make, aGroup, aBot, root, agent } = await aDepartmentFixture();
    const [one, two, id_bot] = [await aGroup('One'), await aGroup('Two'), await aBot()];
    const texts = { description: 'For buyers', online_msg: 'Hello', offline_msg: 'Later' };
    const more = { tags: [{ tag: 'vip', color: '#fff' }], attributes: { a: { b: 1 } }, bot_only: true, status: 0 };
    const groups = [
      { id_group: one._id, percentage: 70 },
      { group_id: two._id, percentage: 30 },
    ];
    const { body } = await make({ ...texts, ...more, routing: 'assigned', id_bot, id_group: one._id, groups });
    const shares = groups.map(({ id_group, group_id, percentage }) => ({
      ...{ id_group: id_group ?? group_id, group_id: group_id ?? id_group, percentage },
    }));
    const expected = {
      ...texts,
      ...more,
      routing: 'assigned',
      id_bot,
      hasBot: true,
      id_group: one._id,
      groups: shares,
    };
    expect(body).to.deep.include(expected);
    expect((await api(agent).get(`${root}/${body._id}`)).body).to.deep.equal(body);
  });

  it('visitors see the public fields of visible departments, and teammates see all fields', async () => {
    const { make, root, guest, agent, project } = await aDepartmentFixture();
    const { body: sales } = await make({
      description: 'd',
      online_msg: 'on',
      offline_msg: 'off',
      attributes: { a: 1 },
    });
    await make({ name: 'Hidden', status: 0 });
    await make({ name: 'Gone', status: -1 });
    const other = await aProject();
    for (const caller of [undefined, guest, other.owner]) {
      const { body } = await api(caller).get(root);
      expect(namesIn(body)).to.deep.equal(['Default Department', 'Sales']);
      expect(Object.keys(body[1])).to.have.members([...PUBLIC_FIELDS, ...TEXT_FIELDS]);
      expect(Object.keys((await api(caller).get(`${root}/${sales._id}`)).body)).to.have.members([
        ...PUBLIC_FIELDS,
        ...TEXT_FIELDS,
      ]);
    }
    const { body: visible } = await api(agent).get(root);
    expect(visible[1]).to.deep.equal(sales);
    expect(namesIn((await api(agent).get(`${root}/allstatus?sort=name`)).body)).to.deep.equal([
      ...['Default Department', 'Hidden', 'Sales'],
    ]);
    const { body: standard } = await api().get(`${root}/default`);
    expect(standard).to.deep.include({ name: 'Default Department', default: true, id_project: project.id });
  });

  it('a call for the departments of an unknown project returns 400, and a call for a department of another project returns 404', async () => {
    const [{ root, owner }, other] = [await aDepartmentFixture(), await aDepartmentFixture()];
    const { body } = await other.make();
    expect((await api().get(`/v3/${UNKNOWN_ID}/departments`)).status).to.equal(400);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : { name: 'Taken' };
      expect((await api(owner).call(method, `${root}/${body._id}`, sent)).status).to.equal(404);
    }
    expect((await Department.findOne({ id_project: other.project.id, _id: body._id }).lean())?.name).to.equal('Sales');
  });

  it("PUT removes a department's bot and groups if the body omits them, and PATCH keeps them", async () => {
    const { make, aGroup, aBot, root, admin, project } = await aDepartmentFixture();
    const [group, id_bot] = [await aGroup(), await aBot()];
    const groups = [{ id_group: group._id, percentage: 100 }];
    const { body: department } = await make({ id_bot, id_group: group._id, groups, description: 'Kept' });
    const one = `${root}/${department._id}`;
    const { body: patched } = await api(admin).patch(one, { routing: 'assigned', name: null, id_bot: null });
    expect(patched).to.deep.include({ routing: 'assigned', name: 'Sales', id_bot, id_group: group._id });
    const { body: put } = await api(admin).put(one, { name: 'Sold', routing: null });
    expect(put).to.deep.include({ name: 'Sold', routing: 'assigned', description: 'Kept', hasBot: false });
    expect(put).to.not.have.any.keys('id_bot', 'id_group', 'groups');
    await api(admin).patch(one, { id_bot, groups });
    const { body: emptied } = await api(admin).patch(one, { id_bot: '', groups: [] });
    expect(emptied).to.not.have.any.keys('id_bot', 'groups');
    expect((await teamEvents(project.id)).filter((event) => event === 'department.update')).to.have.length(4);
  });

  it('a department with a group or bot of another project, or with a percentage below 0 or above 100, is refused with a 422 error that names the field', async () => {
    const [{ make, root, admin, aGroup }, other] = [await aDepartmentFixture(), await aDepartmentFixture()];
    const [own, foreign, bot] = [await aGroup(), await other.aGroup(), await other.aBot()];
    const { body: department } = await make();
    const wrong: [string, object][] = [
      ['id_group', { id_group: foreign._id }],
      ['id_bot', { id_bot: bot }],
      ['groups', { groups: [{ id_group: foreign._id, percentage: 50 }] }],
      [
        'groups',
        {
          groups: [
            { id_group: own._id, percentage: 50 },
            { group_id: own._id, percentage: 50 },
          ],
        },
      ],
      ['groups.0.percentage', { groups: [{ id_group: own._id, percentage: 101 }] }],
      ['groups.0.percentage', { groups: [{ id_group: own._id, percentage: -1 }] }],
      ['groups.0.id_group', { groups: [{ percentage: 1 }] }],
      ['routing', { routing: 'random' }],
      ['status', { status: 7 }],
    ];
    for (const [field, body] of wrong)
      for (const reply of [await make(body), await api(admin).put(`${root}/${department._id}`, body)]) {
        expect(reply.status, field).to.equal(422);
        expect(reply.body.errors[0].param).to.equal(field);
      }
  });

  it('only the default department is listed after the trial has ended', async () => {
    const { make, root, agent, project } = await aDepartmentFixture();
    await make();
    await changeProject(project.id, { 'profile.trialDays': -1 });
    config.TRIAL_MODE = true;
    try {
      for (const list of [root, `${root}/allstatus`])
        expect(namesIn((await api(agent).get(list)).body)).to.deep.equal(['Default Department']);
    } finally {
      config.TRIAL_MODE = false;
    }
  });

  it('a project has exactly one default department, even if several are created as the default concurrently', async () => {
    const { make, root, agent, guest, project } = await aDepartmentFixture();
    await Promise.all(['A', 'B', 'C'].map((name) => make({ name, default: true, routing: 'pooled' })));
    const { body } = await api(agent).get(root);
    const defaults = body.filter((each: { default: boolean }) => each.default);
    expect(defaults).to.have.length(1);
    const opened = await api(guest).post(`/v3/${project.id}/requests/any/messages`, { text: 'Hi' });
    expect(opened.body.request.department).to.equal(defaults[0]._id);
  });

  it('departments can be deleted, except the default one (409)', async () => {
    const { make, root, admin, agent, project } = await aDepartmentFixture();
    const { body: department } = await make();
    const { body: standard } = await api(agent).get(`${root}/default`);
    expect((await api(admin).delete(`${root}/${standard._id}`)).status).to.equal(409);
    expect((await api(admin).delete(`${root}/${department._id}`)).body).to.deep.equal(department);
    expect((await api(admin).delete(`${root}/${department._id}`)).status).to.equal(404);
    expect(namesIn((await api(agent).get(root)).body)).to.deep.equal(['Default Department']);
    expect(await teamEvents(project.id)).to.include('department.delete');
  });
});
