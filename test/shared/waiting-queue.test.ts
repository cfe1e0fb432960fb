/**
 * Waiting conversations are assigned as soon as an agent is available, the oldest ticket first. Exceptions are the
 * conversations of departments with the routing `pooled`, whose agents join conversations themselves.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { assignWaiting, isDeletedMeanwhile } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import { find } from '#shared/domain/conversations/conversation.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { planRouting } from '#shared/domain/routing/routing-plan.ts';
import { AppError } from '#shared/errors.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { ListenerCursor } from '#shared/models/listener-cursor.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A project with one available teammate, who serves at most `limit` conversations. */
const aProjectWithQueue = async (limit = 1) => {
  const { project, owner, admin, agent, guest } = await aProject();
  const id_project = project.id;
  const others = { id_project, id_user: { $in: [admin.id, agent.id] } };
  await ProjectUser.updateMany(others, { $set: { user_available: false } });
  const setCapacity = (capacity: number) =>
    ProjectUser.updateOne({ id_project, id_user: owner.id }, { $set: { max_assigned_chat: capacity } });
  await setCapacity(limit);
  const root = `/v3/${id_project}/requests`;
  const openConversation = async (body: object = {}) => {
    const request_id = `support-group-${randomUUID()}`;
    await api(guest).post(`${root}/${request_id}/messages`, { text: 'Hi', ...body });
    return request_id;
  };
  const openInOrder = async (count: number) => {
    const ids: string[] = [];
    for (const _ of times(count, Number)) ids.push(await openConversation());
    return ids;
  };
  const servedIds = async () => {
    const served = await Conversation.find({ id_project, status: 200 }, { request_id: 1 })
      .sort({ assigned_at: 1 })
      .lean();
    return served.map(({ request_id }) => request_id);
  };
  const close = (request_id: string) => api(owner).put(`${root}/${request_id}/close`, {});
  return {
    id_project,
    owner,
    admin,
    agent,
    guest,
    root,
    setCapacity,
    openConversation,
    openInOrder,
    servedIds,
    close,
  };
};

const loadOf = async (id_project: string, { id }: { id: string }) =>
  (await ProjectUser.findOne({ id_project, id_user: id }).lean())?.number_assigned_requests;

describe('Waiting queue', () => {
  before(async () => {
    await ListenerCursor.deleteMany({}); // skips the events of other tests
    await initCursors();
  });

  it('waiting conversations are assigned in ticket order, even by concurrent calls', async () => {
    const { id_project, owner, setCapacity, openInOrder, servedIds } = await aProjectWithQueue();
    const ids = await openInOrder(6);
    expect(await servedIds()).to.deep.equal([ids[0]]);
    await setCapacity(4);
    await Promise.all(times(3, () => assignWaiting(id_project)));
    expect(await servedIds()).to.deep.equal(ids.slice(0, 4));
    expect(await loadOf(id_project, owner)).to.equal(4);
  });

  it('waiting conversations are assigned when a conversation closes, an agent becomes available or a limit is raised', async () => {
    const { id_project, admin, agent, owner, openInOrder, servedIds, close } = await aProjectWithQueue();
    const ids = await openInOrder(4);
    /** Waits until at least `minimum` conversations are served. Returns the number of served conversations. */
    const waitForServed = async (minimum: number) => {
      await waitUntil(async () => {
        await runJobsOnEvents(id_project);
        return (await servedIds()).length >= minimum;
      });
      return (await servedIds()).length;
    };
    await close(ids[0] as string);
    expect(await waitForServed(1)).to.equal(1);
    const root = `/v3/${id_project}/project_users`;
    const member = async ({ id }: { id: string }) =>
      String((await ProjectUser.findOne({ id_project, id_user: id }))?._id);
    await api(owner).put(`${root}/${await member(agent)}`, { user_available: true, max_assigned_chat: 1 });
    expect(await waitForServed(2)).to.equal(2);
    await api(owner).put(`${root}/${await member(agent)}`, { max_assigned_chat: 2 });
    expect(await waitForServed(3)).to.equal(3);
    expect(await loadOf(id_project, admin)).to.equal(0);
  });

  it('a new conversation queues behind earlier conversations even when an agent is available', async () => {
    const { id_project, setCapacity, openInOrder, openConversation, servedIds, guest, root } =
      await aProjectWithQueue();
    const ids = await openInOrder(2);
    await setCapacity(2);
    const late = await openConversation();
    expect(await servedIds()).to.deep.equal([ids[0]]);
    const [decision] =
      (await Conversation.findOne({ id_project, request_id: late }, { routing: 1 }).lean())?.routing ?? [];
    expect(decision).to.deep.include({ outcome: 'in_line', chosen: null });
    await assignWaiting(id_project);
    expect(await servedIds()).to.deep.equal(ids);
    expect((await api(guest).get(`${root}/me`)).body.count).to.equal(3);
  });

  it('waiting conversations of different departments are assigned in ticket order', async () => {
    const { id_project, owner, admin, openConversation, servedIds, setCapacity } = await aProjectWithQueue();
    const { _id } = await Department.create({ id_project, name: 'B', routing: 'assigned', createdBy: owner.id });
    const first = await openConversation();
    const second = await openConversation({ departmentid: String(_id) });
    const third = await openConversation();
    await setCapacity(2);
    await assignWaiting(id_project);
    expect(await servedIds()).to.deep.equal([first, second]);
    await ProjectUser.updateOne({ id_project, id_user: admin.id }, { $set: { user_available: true } });
    await assignWaiting(id_project);
    expect(await servedIds()).to.deep.equal([first, second, third]);
  });

  it('a waiting conversation is not assigned to an agent who left it, and does not block later conversations', async () => {
    const { id_project, owner, admin, openConversation, servedIds, root } = await aProjectWithQueue();
    const [first, second] = [await openConversation(), await openConversation()];
    await api(owner).delete(`${root}/${first}/participants/${owner.id}`);
    await assignWaiting(id_project);
    expect(await servedIds()).to.deep.equal([second]);
    await ProjectUser.updateOne({ id_project, id_user: admin.id }, { $set: { user_available: true } });
    await assignWaiting(id_project);
    const conversation = await Conversation.findOne({ id_project, request_id: first }).lean();
    expect(conversation?.participants).to.deep.equal([admin.id]);
  });

  it('conversations that are pooled, in preflight, pending or conducted by email are not assigned from the waiting queue', async () => {
    const { id_project, owner, openConversation, servedIds, setCapacity } = await aProjectWithQueue();
    const { _id } = await Department.create({ id_project, name: 'P', routing: 'pooled', createdBy: owner.id });
    await openConversation();
    await openConversation({ departmentid: String(_id) });
    await openConversation({ channel: { name: 'email' } });
    await openConversation({ preflight: true });
    const pending = await openConversation();
    await Conversation.updateOne({ id_project, request_id: pending }, { $set: { workingStatus: 'pending' } });
    await setCapacity(9);
    await assignWaiting(id_project);
    expect(await servedIds()).to.have.length(1);
    expect(await loadOf(id_project, owner)).to.equal(1);
  });

  it('an assignment from the waiting queue emits request.assigned and posts a system message', async () => {
    const { id_project, owner, openInOrder, setCapacity, root } = await aProjectWithQueue();
    const [, second] = await openInOrder(2);
    await setCapacity(2);
    await assignWaiting(id_project);
    const assigned = (await relayedChanges(id_project)).filter(({ event }) => event === 'request.assigned').at(-1);
    expect(assigned?.payload).to.deep.include({
      assigneeId: owner.id,
      assignmentType: 'auto',
      source: 'queue',
      actor: { type: 'system', id: 'system' },
    });
    const messages = (await api(owner).get(`${root}/${second}/messages`)).body;
    expect(messages.at(-1).attributes.messagelabel.key).to.equal('TOUCHING_OPERATOR');
  });

  it('the waiting queue ignores only errors about a deleted conversation or department', async () => {
    const { project } = await aProject();
    const unknownDepartment = await planRouting(project.id, randomBytes(12).toString('hex')).catch((error) => error);
    const unknownConversation = await find({ id_project: project.id, request_id: 'x' }).catch((error) => error);
    for (const error of [unknownDepartment, unknownConversation]) expect(isDeletedMeanwhile(error)).to.equal(true);
    for (const error of [new AppError(422, 'INVALID', 'Too large'), new Error('Gone')])
      expect(isDeletedMeanwhile(error)).to.equal(false);
  });
});
