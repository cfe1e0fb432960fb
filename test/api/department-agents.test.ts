import { expect } from 'chai';
import { Bot } from '#shared/models/bot.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { changeProject } from '../support/change-project.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { NEVER_OPEN } from '../support/routing-state.ts';

const WRITE_COMMANDS = ['insert', 'update', 'delete', 'findAndModify'];

const aDepartmentFixture = async () => {
  const fixture = await aProject();
  const { project, admin, agent, owner } = fixture;
  const root = `/v3/${project.id}/departments`;
  const aBot = async () =>
    String((await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: 'x' }]))[0]?._id);
  const aGroup = async (name: string, members: string[]): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/groups`, { name, members })).body._id;
  const make = async (body: object) =>
    (await api(admin).post(root, { name: 'Sales', routing: 'assigned', ...body })).body;
  const set = ({ id }: { id: string }, update: object) =>
    ProjectUser.updateOne({ id_project: project.id, id_user: id }, { $set: update });
  return {
    ...{ ...fixture, root, aBot, aGroup, make, set },
    operators: async (id: string, query = '') => (await api(agent).get(`${root}/${id}/operators${query}`)).body,
    dryRun: async (id: string, body: object = {}) => (await api(owner).post(`${root}/${id}/routing`, body)).body,
  };
};

interface AgentView {
  id_user: string;
}
const userIds = (people: AgentView[]): string[] => people.map(({ id_user }) => id_user);
const chosenUsers = (arrivals: { chosen: string | null }[]) => arrivals.map((arrival) => arrival.chosen);

describe('Agents of a department (operators)', () => {
  it("the operators endpoint returns a department's agents, the available ones, and the one that routing would choose", async () => {
    const { operators, owner, admin, agent, set, project } = await aDepartmentFixture();
    await set(owner, { user_available: false });
    await set(admin, { number_assigned_requests: 1 });
    const body = await operators('default');
    expect(userIds(body.agents)).to.have.members([owner.id, admin.id, agent.id]);
    expect(userIds(body.available_agents)).to.have.members([admin.id, agent.id]);
    expect(body.operators).to.deep.equal([body.agents.find(({ id_user }: AgentView) => id_user === agent.id)]);
    expect(body.department).to.include({ default: true, hasBot: false });
    expect(body).to.include({ id_project: project.id }).and.not.have.any.keys('id_bot', 'group');
    expect(body.project).to.include({ id: project.id, name: 'Project' });
  });

  it("the operators endpoint returns a department's bot unless nobot is set", async () => {
    const { operators, make, aBot } = await aDepartmentFixture();
    const id_bot = await aBot();
    const { _id } = await make({ id_bot });
    const body = await operators(_id);
    expect(body.operators).to.deep.equal([{ id_user: `bot_${id_bot}` }]);
    expect(body).to.include({ id_bot }).and.not.have.any.keys('id_project');
    expect((await operators(_id, '?nobot=true')).operators)
      .to.have.length(1)
      .and.not.deep.equal(body.operators);
    await Bot.deleteOne({ id_project: body.department.id_project, _id: id_bot });
    expect(userIds((await operators(_id)).operators)[0]).to.not.equal(`bot_${id_bot}`);
  });

  it("the operators endpoint returns the agents of a department's group, and chooses none if routing is pooled, the project is closed or the group is empty", async () => {
    const { operators, make, aGroup, agent, project, root, admin } = await aDepartmentFixture();
    const [own, empty] = [await aGroup('Own', [agent.id]), await aGroup('Empty', [])];
    const { _id } = await make({ id_group: own });
    const body = await operators(_id);
    expect(userIds(body.agents)).to.deep.equal([agent.id]);
    expect(body.group[0]).to.include({ _id: own });
    expect(userIds(body.operators)).to.deep.equal([agent.id]);
    await changeProject(project.id, { activeOperatingHours: true, operatingHours: NEVER_OPEN });
    expect(await operators(_id)).to.deep.include({ available_agents: [], operators: [] });
    await api(admin).put(`${root}/${_id}`, { id_group: empty });
    expect(Object.keys(await operators(_id))).to.have.members([
      'department',
      'agents',
      'available_agents',
      'operators',
    ]);
    await changeProject(project.id, { activeOperatingHours: false });
    await api(admin).put(`${root}/${_id}`, { routing: 'pooled' });
    expect((await operators(_id)).operators).to.deep.equal([]);
  });

  it("the operators endpoint returns the agents' loads if the project limits them, and ignores the limits if disableWebHookCall is set", async () => {
    const { operators, agent, admin, owner, set, project } = await aDepartmentFixture();
    const settings = { chat_limit_on: true, max_agent_assigned_chat: 2 };
    await changeProject(project.id, { settings });
    for (const teammate of [agent, admin, owner]) await set(teammate, { number_assigned_requests: 2 });
    const body = await operators('default');
    expect(body.operators).to.deep.equal([]);
    expect(body.available_agents_request).to.have.length(3);
    // Deployed clients read the misspelled name.
    expect(body.available_agents_request[0]).to.deep.include({ openRequetsCount: 2, openRequestsCount: 2 });
    const unlimited = await operators('default', '?disableWebHookCall=true');
    expect(unlimited.operators).to.have.length(1);
    expect(unlimited).to.not.have.any.keys('available_agents_request');
  });

  it('the operators endpoint returns 404 for an unknown department', async () => {
    const { root, agent } = await aDepartmentFixture();
    expect((await api(agent).get(`${root}/${'0'.repeat(24)}/operators`)).status).to.equal(404);
  });
});

describe("Dry run of a department's routing", () => {
  it('a dry run predicts the agents to whom the next conversations will be assigned, and returns the reasons', async () => {
    const { dryRun, set, owner, admin, agent, guest, project } = await aDepartmentFixture();
    await set(owner, { user_available: false });
    await set(admin, { max_assigned_chat: 1 });
    await set(agent, { max_assigned_chat: 2 });
    const { arrivals } = await dryRun('default', { requests: 4 });
    const reasons = (index: number) =>
      Object.fromEntries(
        arrivals[index].considered.map(({ id_user, reason }: AgentView & { reason: string }) => [id_user, reason]),
      );
    expect(reasons(0)[owner.id]).to.equal('not_available');
    expect(reasons(3)).to.deep.equal({
      ...{ [owner.id]: 'not_available', [admin.id]: 'at_capacity', [agent.id]: 'at_capacity' },
    });
    expect(arrivals[3]).to.include({ outcome: 'nobody', chosen: null });
    const assigned: (string | null)[] = [];
    for (const number of times(4, Number)) {
      const path = `/v3/${project.id}/requests/${project.id}-${number}/messages`;
      assigned.push((await api(guest).post(path, { text: 'Hi' })).body.request.participants[0] ?? null);
    }
    expect(chosenUsers(arrivals)).to.deep.equal(assigned);
  });

  it('a dry run assigns conversations to groups by percentage, and none to a group with 0 percent', async () => {
    const { dryRun, make, aGroup, owner, admin, agent } = await aDepartmentFixture();
    const shares = [
      [await aGroup('A', [owner.id]), 60],
      [await aGroup('B', [admin.id]), 40],
      [await aGroup('C', [agent.id]), 0],
    ];
    const { _id } = await make({ groups: shares.map(([id_group, percentage]) => ({ id_group, percentage })) });
    const { arrivals } = await dryRun(_id, { requests: 1000 });
    const count = (id: string) => chosenUsers(arrivals).filter((user) => user === id).length;
    expect([owner, admin, agent].map(({ id }) => count(id))).to.deep.equal([600, 400, 0]);
  });

  it("a dry run chooses the department's bot first, writes nothing and accepts 1 to 1,000 conversations", async () => {
    const { dryRun, make, aBot, root, owner } = await aDepartmentFixture();
    const id_bot = await aBot();
    const { _id } = await make({ id_bot });
    expect((await dryRun(_id)).arrivals).to.have.length(1);
    expect((await dryRun(_id)).arrivals[0]).to.include({ outcome: 'bot', chosen: `bot_${id_bot}` });
    const commands = (await commandsDuring(() => dryRun(_id, { requests: 3, nobot: true }))) as object[];
    expect(commands.filter((command) => WRITE_COMMANDS.some((write) => write in command))).to.deep.equal([]);
    for (const requests of [0, 1001, 1.5])
      expect((await api(owner).post(`${root}/${_id}/routing`, { requests })).status).to.equal(422);
  });
});
