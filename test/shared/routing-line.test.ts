/** Those who wait are served as soon as somebody may take one more, the oldest ticket first (decision 18). */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import { begin } from '#shared/domain/events/listeners.ts';
import { Department } from '#shared/models/department.ts';
import { Listener } from '#shared/models/listener.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import { times } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** A project of one teammate for one conversation at a time, in which the others are away. */
const aWorld = async (limit = 1) => {
  const { project, owner, admin, agent, guest } = await aProject();
  const id_project = project.id;
  const others = { id_project, id_user: { $in: [admin.id, agent.id] } };
  await ProjectUser.updateMany(others, { $set: { user_available: false } });
  const limited = (most: number) =>
    ProjectUser.updateOne({ id_project, id_user: owner.id }, { $set: { max_assigned_chat: most } });
  await limited(limit);
  const root = `/v3/${id_project}/requests`;
  const arrive = async (body: object = {}) => {
    const request_id = `support-group-${randomUUID()}`;
    await api(guest).post(`${root}/${request_id}/messages`, { text: 'Hi', ...body });
    return request_id;
  };
  const arriveInTurn = async (many: number) => {
    const ids: string[] = [];
    for (const _ of times(many, Number)) ids.push(await arrive());
    return ids;
  };
  const served = async () => {
    const found = await Request.find({ id_project, status: 200 }, { request_id: 1 }).sort({ assigned_at: 1 }).lean();
    return found.map(({ request_id }) => request_id);
  };
  const close = (request_id: string) => api(owner).put(`${root}/${request_id}/close`, {});
  return { id_project, owner, admin, agent, guest, root, limited, arrive, arriveInTurn, served, close };
};

const loadOf = async (id_project: string, { id }: { id: string }) =>
  (await ProjectUser.findOne({ id_project, id_user: id }).lean())?.number_assigned_requests;

describe('Those who wait', () => {
  before(async () => {
    await Listener.deleteMany({}); // what happened in other tests is no concern of these
    await begin();
  });

  it('are served in the order of their tickets, by several at once too', async () => {
    const { id_project, owner, limited, arriveInTurn, served } = await aWorld();
    const ids = await arriveInTurn(6);
    expect(await served()).to.deep.equal([ids[0]]);
    await limited(4);
    await Promise.all(times(3, () => serveWaiting(id_project)));
    expect(await served()).to.deep.equal(ids.slice(0, 4));
    expect(await loadOf(id_project, owner)).to.equal(4);
  });

  it('are served by a close, by whoever comes back, and by a limit that is raised, without being asked', async () => {
    const { id_project, admin, agent, owner, arriveInTurn, served, close } = await aWorld();
    const ids = await arriveInTurn(4);
    /** Waits until so many are served; how many are. */
    const follow = async (least: number) => {
      await until(async () => {
        await changes(id_project);
        await runJobsOnEvents();
        return (await served()).length >= least;
      }, 15);
      return (await served()).length;
    };
    await close(ids[0] as string);
    expect(await follow(1)).to.equal(1);
    const root = `/v3/${id_project}/project_users`;
    const member = async ({ id }: { id: string }) =>
      String((await ProjectUser.findOne({ id_project, id_user: id }))?._id);
    await api(owner).put(`${root}/${await member(agent)}`, { user_available: true, max_assigned_chat: 1 });
    expect(await follow(2)).to.equal(2);
    await api(owner).put(`${root}/${await member(agent)}`, { max_assigned_chat: 2 });
    expect(await follow(3)).to.equal(3);
    expect(await loadOf(id_project, admin)).to.equal(0);
  });

  it('are ahead of whoever comes later, though somebody is free', async () => {
    const { id_project, limited, arriveInTurn, arrive, served, guest, root } = await aWorld();
    const ids = await arriveInTurn(2);
    await limited(2);
    const late = await arrive();
    expect(await served()).to.deep.equal([ids[0]]);
    const [decision] = (await Request.findOne({ id_project, request_id: late }, { routing: 1 }).lean())?.routing ?? [];
    expect(decision).to.deep.include({ outcome: 'in_line', chosen: null });
    await serveWaiting(id_project);
    expect(await served()).to.deep.equal(ids);
    expect((await api(guest).get(`${root}/me`)).body.count).to.equal(3);
  });

  it('stand in one line through all departments, and none holds up another that has others to serve it', async () => {
    const { id_project, owner, admin, arrive, served, limited } = await aWorld();
    const { _id } = await Department.create({ id_project, name: 'B', routing: 'assigned', createdBy: owner.id });
    const first = await arrive();
    const second = await arrive({ departmentid: String(_id) });
    const third = await arrive();
    await limited(2);
    await serveWaiting(id_project);
    expect(await served()).to.deep.equal([first, second]);
    await ProjectUser.updateOne({ id_project, id_user: admin.id }, { $set: { user_available: true } });
    await serveWaiting(id_project);
    expect(await served()).to.deep.equal([first, second, third]);
  });

  it('are not given to who left them, and do not hold up those behind', async () => {
    const { id_project, owner, admin, arrive, served, root } = await aWorld();
    const [first, second] = [await arrive(), await arrive()];
    await api(owner).delete(`${root}/${first}/participants/${owner.id}`);
    await serveWaiting(id_project);
    expect(await served()).to.deep.equal([second]);
    await ProjectUser.updateOne({ id_project, id_user: admin.id }, { $set: { user_available: true } });
    await serveWaiting(id_project);
    const given = await Request.findOne({ id_project, request_id: first }).lean();
    expect(given?.participants).to.deep.equal([admin.id]);
  });

  it('do not include who is pooled, hidden, pending or never assigned by itself', async () => {
    const { id_project, owner, arrive, served, limited } = await aWorld();
    const { _id } = await Department.create({ id_project, name: 'P', routing: 'pooled', createdBy: owner.id });
    await arrive();
    await arrive({ departmentid: String(_id) });
    await arrive({ channel: { name: 'email' } });
    await arrive({ preflight: true });
    const pending = await arrive();
    await Request.updateOne({ id_project, request_id: pending }, { $set: { workingStatus: 'pending' } });
    await limited(9);
    await serveWaiting(id_project);
    expect(await served()).to.have.length(1);
    expect(await loadOf(id_project, owner)).to.equal(1);
  });

  it('are told that somebody is there, and by whom routing was done', async () => {
    const { id_project, owner, arriveInTurn, limited, root } = await aWorld();
    const [, second] = await arriveInTurn(2);
    await limited(2);
    await serveWaiting(id_project);
    const told = (await changes(id_project)).filter(({ event }) => event === 'request.assigned').at(-1);
    expect(told?.payload).to.deep.include({
      assigneeId: owner.id,
      assignmentType: 'auto',
      source: 'queue',
      actor: { type: 'system', id: 'system' },
    });
    const messages = (await api(owner).get(`${root}/${second}/messages`)).body;
    expect(messages.at(-1).attributes.messagelabel.key).to.equal('TOUCHING_OPERATOR');
  });
});
