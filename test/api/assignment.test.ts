/** Calls that route a conversation: to a department, to an agent, from a bot to an agent, to another bot. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Bot } from '#shared/models/bot.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aBotId, aDepartment, putAsAgent, setUnavailable } from '../support/assignment-targets.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';

/** Puts a conversation into the state of one for which no agent was available, and frees all agents. */
const makeUnassigned = async (
  { project, request_id }: Awaited<ReturnType<typeof aConversation>>,
  more: object = {},
) => {
  const unassigned = { status: 100, participants: [], participantsAgents: [], ...more };
  await Conversation.updateOne({ id_project: project.id, request_id }, { $set: unassigned });
  await ProjectUser.updateMany({ id_project: project.id }, { $set: { reservations: [], number_assigned_requests: 0 } });
};

describe('PUT /v3/:project_id/requests/:request_id/departments', () => {
  it('PUT …/departments assigns an agent of the department, clears waiting_time and updates the snapshot', async () => {
    const conversation = await aConversation();
    await conversation.post(conversation.owner, { text: 'Hello' });
    const departmentid = await aDepartment(conversation);
    await conversation.newEvents();
    const { status, body } = await putAsAgent(conversation, 'departments', { departmentid });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ status: 200, department: departmentid, hasBot: false });
    expect(body.snapshot.department).to.include({ _id: departmentid, name: 'Sales' });
    expect(body).to.not.have.property('waiting_time');
    expect(body.participatingAgents).to.have.length(1);
    expect(await conversation.newEvents()).to.deep.equal([
      'request.update',
      'request.updated',
      'request.participants.update',
      'request.assigned',
      'request.department.update',
      'message.create',
    ]);
  });

  it('PUT …/departments removes all participants if no agent is available, even from a closed conversation', async () => {
    const conversation = await aConversation();
    await api(conversation.owner).put(`${conversation.one}/close`, {});
    await setUnavailable(conversation);
    const { body } = await putAsAgent(conversation, 'departments', { departmentid: await aDepartment(conversation) });
    expect(body).to.deep.include({ status: 100, participants: [], hasBot: false });
  });

  it('PUT …/departments uses the default department if none is named, and assigns its bot unless nobot is set', async () => {
    const conversation = await aConversation();
    const id_bot = await aBotId(conversation);
    await Department.updateOne({ id_project: conversation.project.id, default: true }, { $set: { id_bot } });
    const { body } = await putAsAgent(conversation, 'departments', { departmentid: 'default' });
    expect(body).to.deep.include({ status: 200, participants: [`bot_${id_bot}`], hasBot: true });
    const human = await putAsAgent(conversation, 'departments', { nobot: true });
    expect(human.body.participantsAgents).to.have.length(1);
  });

  it('PUT …/departments with no_populate returns ids in place of records', async () => {
    const conversation = await aConversation();
    const { body } = await putAsAgent(conversation, 'departments', {
      departmentid: await aDepartment(conversation),
      no_populate: true,
    });
    expect(body.lead).to.be.a('string');
    expect(body).to.not.have.property('participatingAgents');
  });

  it('PUT …/departments emits request.assigned with assignmentType and assigneeType', async () => {
    const conversation = await aConversation();
    await setUnavailable(conversation);
    const departmentid = await aDepartment(conversation);
    await putAsAgent(conversation, 'departments', { departmentid });
    const assigned = (await relayedChanges(conversation.project.id))
      .filter(({ event }) => event === 'request.assigned')
      .at(-1);
    expect(assigned?.payload).to.deep.include({
      assigneeId: departmentid,
      assigneeType: 'department',
      assignmentType: 'manual_reassign_department',
      source: 'api',
    });
  });

  it('PUT …/departments emits no event if nothing changes', async () => {
    const conversation = await aConversation();
    await makeUnassigned(conversation);
    await setUnavailable(conversation);
    const before = await conversation.read();
    await conversation.newEvents();
    const { body } = await putAsAgent(conversation, 'departments');
    expect(body).to.deep.equal(before);
    expect(await conversation.newEvents()).to.deep.equal([]);
  });

  it('PUT …/departments returns 422 for an unknown department and 404 for an unknown conversation', async () => {
    const conversation = await aConversation();
    const foreignDepartment = await aDepartment(await aConversation());
    for (const departmentid of [foreignDepartment, 'no id']) {
      const { status, body } = await putAsAgent(conversation, 'departments', { departmentid });
      expect([status, body.errors[0].path]).to.deep.equal([422, 'departmentid']);
    }
    const unknown = await api(conversation.agent).put(`${conversation.root}/${randomUUID()}/departments`, {});
    expect(unknown.status).to.equal(404);
  });
});

describe('PUT /v3/:project_id/requests/:request_id/assign', () => {
  it('PUT …/assign assigns an unassigned conversation to an agent', async () => {
    const conversation = await aConversation();
    for (const status of [50, 100, 150]) {
      await makeUnassigned(conversation, { status });
      const { body } = await putAsAgent(conversation, 'assign');
      expect(body).to.include({ status: 200 });
      expect(body.participants).to.have.length(1);
    }
  });

  it('PUT …/assign returns a served or closed conversation unchanged, with ids in place of records', async () => {
    const conversation = await aConversation();
    for (const verb of ['', 'close']) {
      if (verb) await api(conversation.owner).put(`${conversation.one}/${verb}`, {});
      const before = await conversation.read();
      const { status, body } = await putAsAgent(conversation, 'assign', {
        departmentid: await aDepartment(conversation),
      });
      expect([status, body.status, body.__v]).to.deep.equal([200, before.status, before.__v]);
      expect(body.lead).to.be.a('string');
    }
  });

  it('PUT …/assign sets status 100 (unserved) if no agent is available, even if the status was 50 (temporary) or 150 (abandoned)', async () => {
    const conversation = await aConversation();
    await setUnavailable(conversation);
    for (const status of [50, 150]) {
      await makeUnassigned(conversation, { status });
      expect((await putAsAgent(conversation, 'assign')).body).to.deep.include({ status: 100, participants: [] });
    }
  });

  it('PUT …/assign sets status 150 (abandoned) and emits a custom event if every agent has left the conversation', async () => {
    const conversation = await aConversation();
    const team = await ProjectUser.find({ id_project: conversation.project.id, roleType: 1 }).lean();
    const leftAt = Object.fromEntries(team.map(({ _id }) => [String(_id), Date.now()]));
    await makeUnassigned(conversation, { attributes: { abandoned_by_project_users: leftAt } });
    const { body } = await putAsAgent(conversation, 'assign');
    expect(body).to.include({ status: 150 });
    expect(body.attributes.fully_abandoned).to.equal(true);
    const emitted = (await relayedChanges(conversation.project.id)).find(
      ({ event }) => event === 'event.emit.request.fully_abandoned',
    );
    expect(emitted?.payload).to.have.nested.property('attributes.request_id', conversation.request_id);
  });
});

describe('PUT /v3/:project_id/requests/:request_id/agent', () => {
  it('PUT …/agent hands a conversation over from the bot to an agent of the same department', async () => {
    const conversation = await aConversation();
    const departmentid = await aDepartment(conversation, { id_bot: await aBotId(conversation) });
    expect((await putAsAgent(conversation, 'departments', { departmentid })).body.hasBot).to.equal(true);
    const { body } = await putAsAgent(conversation, 'agent');
    expect(body).to.deep.include({ status: 200, department: departmentid, hasBot: false, participantsBots: [] });
    expect(body.participantsAgents).to.have.length(1);
  });

  it('PUT …/agent removes the bot and leaves the conversation waiting if no agent is available', async () => {
    const conversation = await aConversation();
    await putAsAgent(conversation, 'departments', {
      departmentid: await aDepartment(conversation, { id_bot: await aBotId(conversation) }),
    });
    await setUnavailable(conversation);
    expect((await putAsAgent(conversation, 'agent')).body).to.deep.include({
      status: 100,
      participants: [],
      hasBot: false,
    });
  });

  it('PUT …/agent uses the default department if the department of the conversation no longer exists', async () => {
    const conversation = await aConversation();
    const departmentid = await aDepartment(conversation);
    await putAsAgent(conversation, 'departments', { departmentid });
    await Department.deleteOne({ id_project: conversation.project.id, _id: departmentid });
    const { status, body } = await putAsAgent(conversation, 'agent');
    expect(status).to.equal(200);
    expect(body.snapshot.department.default).to.equal(true);
  });
});

describe('PUT /v3/:project_id/requests/:request_id/replace', () => {
  it('PUT …/replace replaces all participants with a bot that is given by id or name', async () => {
    const conversation = await aConversation();
    const [first, second] = [await aBotId(conversation, 'First'), await aBotId(conversation, 'Second')];
    for (const [body, bot] of [
      [{ id: first }, first],
      [{ name: 'Second' }, second],
    ] as const) {
      const replaced = await putAsAgent(conversation, 'replace', body);
      expect(replaced.body).to.deep.include({
        status: 200,
        participants: [`bot_${bot}`],
        hasBot: true,
        replaced_bot_root_id: bot,
      });
    }
  });

  it('PUT …/replace returns 400 without a bot, and 404 for an unknown or trashed bot', async () => {
    const conversation = await aConversation();
    await Bot.updateOne(
      { _id: await aBotId(conversation, 'Gone'), id_project: conversation.project.id },
      { $set: { trashed: true } },
    );
    const foreign = await aBotId(await aConversation());
    expect((await putAsAgent(conversation, 'replace')).status).to.equal(400);
    for (const body of [{ name: 'Gone' }, { id: foreign }, { id: 'x' }, { slug: 'robo' }])
      expect((await putAsAgent(conversation, 'replace', body)).status).to.equal(404);
  });
});
