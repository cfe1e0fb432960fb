/** Sending conversations on their way (contract b 1.11, 2.3): to departments, to their first teammate, from bots to humans. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aBot, aDepartment, away, put } from '../support/destinations.ts';

/** As it would be had nobody been found for it. */
const unserved = async ({ project, request_id }: Awaited<ReturnType<typeof aConversation>>, more: object = {}) => {
  const bare = { status: 100, participants: [], participantsAgents: [], ...more };
  await Request.updateOne({ id_project: project.id, request_id }, { $set: bare });
  await ProjectUser.updateMany({ id_project: project.id }, { $set: { claims: [], number_assigned_requests: 0 } });
};

describe('PUT departments', () => {
  it('routes to the department, clears the wait and refreshes what is copied', async () => {
    const world = await aConversation();
    await world.post(world.owner, { text: 'Hello' });
    const departmentid = await aDepartment(world);
    await world.told();
    const { status, body } = await put(world, 'departments', { departmentid });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ status: 200, department: departmentid, hasBot: false });
    expect(body.snapshot.department).to.include({ _id: departmentid, name: 'Sales' });
    expect(body).to.not.have.property('waiting_time');
    expect(body.participatingAgents).to.have.length(1);
    expect(await world.told()).to.deep.equal([
      'request.update',
      'request.updated',
      'request.participants.update',
      'request.assigned',
      'request.department.update',
      'message.create',
    ]);
  });

  it('empties the participants where nobody is there, also of a closed one', async () => {
    const world = await aConversation();
    await api(world.owner).put(`${world.one}/close`, {});
    await away(world);
    const { body } = await put(world, 'departments', { departmentid: await aDepartment(world) });
    expect(body).to.deep.include({ status: 100, participants: [], hasBot: false });
  });

  it('goes to the default department where none is named, and to its bot first', async () => {
    const world = await aConversation();
    const id_bot = await aBot(world);
    await Department.updateOne({ id_project: world.project.id, default: true }, { $set: { id_bot } });
    const { body } = await put(world, 'departments', { departmentid: 'default' });
    expect(body).to.deep.include({ status: 200, participants: [`bot_${id_bot}`], hasBot: true });
    const human = await put(world, 'departments', { nobot: true });
    expect(human.body.participantsAgents).to.have.length(1);
  });

  it('answers ids alone with no_populate', async () => {
    const world = await aConversation();
    const { body } = await put(world, 'departments', { departmentid: await aDepartment(world), no_populate: true });
    expect(body.lead).to.be.a('string');
    expect(body).to.not.have.property('participatingAgents');
  });

  it('tells who moved it where: assignmentType and assigneeType', async () => {
    const world = await aConversation();
    await away(world);
    const departmentid = await aDepartment(world);
    await put(world, 'departments', { departmentid });
    const told = (await changes(world.project.id)).filter(({ event }) => event === 'request.assigned').at(-1);
    expect(told?.payload).to.deep.include({
      assigneeId: departmentid,
      assigneeType: 'department',
      assignmentType: 'manual_reassign_department',
      source: 'api',
    });
  });

  it('changes nothing and tells nothing where it has nothing to change', async () => {
    const world = await aConversation();
    await unserved(world);
    await away(world);
    const before = await world.read();
    await world.told();
    const { body } = await put(world, 'departments');
    expect(body).to.deep.equal(before);
    expect(await world.told()).to.deep.equal([]);
  });

  it('refuses an unknown department by its name with 422, an unknown conversation with 404', async () => {
    const world = await aConversation();
    const elsewhere = await aDepartment(await aConversation());
    for (const departmentid of [elsewhere, 'no id']) {
      const { status, body } = await put(world, 'departments', { departmentid });
      expect([status, body.errors[0].path]).to.deep.equal([422, 'departmentid']);
    }
    const nowhere = await api(world.agent).put(`${world.root}/${randomUUID()}/departments`, {});
    expect(nowhere.status).to.equal(404);
  });
});

describe('PUT assign', () => {
  it('gives a conversation that nobody has to somebody', async () => {
    const world = await aConversation();
    for (const status of [50, 100, 150]) {
      await unserved(world, { status });
      const { body } = await put(world, 'assign');
      expect(body).to.include({ status: 200 });
      expect(body.participants).to.have.length(1);
    }
  });

  it('leaves a served or closed one as it is, and answers it with ids', async () => {
    const world = await aConversation();
    for (const verb of ['', 'close']) {
      if (verb) await api(world.owner).put(`${world.one}/${verb}`, {});
      const before = await world.read();
      const { status, body } = await put(world, 'assign', { departmentid: await aDepartment(world) });
      expect([status, body.status, body.__v]).to.deep.equal([200, before.status, before.__v]);
      expect(body.lead).to.be.a('string');
    }
  });

  it('is 100 where nobody is found, from 50 and 150 too', async () => {
    const world = await aConversation();
    await away(world);
    for (const status of [50, 150]) {
      await unserved(world, { status });
      expect((await put(world, 'assign')).body).to.deep.include({ status: 100, participants: [] });
    }
  });

  it('is 150 where everybody has left it and nothing else changes, and says so by a custom event', async () => {
    const world = await aConversation();
    const team = await ProjectUser.find({ id_project: world.project.id, roleType: 1 }).lean();
    const left = Object.fromEntries(team.map(({ _id }) => [String(_id), Date.now()]));
    await unserved(world, { attributes: { abandoned_by_project_users: left } });
    const { body } = await put(world, 'assign');
    expect(body).to.include({ status: 150 });
    expect(body.attributes.fully_abandoned).to.equal(true);
    const fired = (await changes(world.project.id)).find(({ event }) => event === 'event.emit.request.fully_abandoned');
    expect(fired?.payload).to.have.nested.property('attributes.request_id', world.request_id);
  });
});

describe('PUT agent', () => {
  it('hands over from the bot to a human of the same department', async () => {
    const world = await aConversation();
    const departmentid = await aDepartment(world, { id_bot: await aBot(world) });
    expect((await put(world, 'departments', { departmentid })).body.hasBot).to.equal(true);
    const { body } = await put(world, 'agent');
    expect(body).to.deep.include({ status: 200, department: departmentid, hasBot: false, participantsBots: [] });
    expect(body.participantsAgents).to.have.length(1);
  });

  it('removes the bot where nobody is there: the conversation waits', async () => {
    const world = await aConversation();
    await put(world, 'departments', { departmentid: await aDepartment(world, { id_bot: await aBot(world) }) });
    await away(world);
    expect((await put(world, 'agent')).body).to.deep.include({ status: 100, participants: [], hasBot: false });
  });

  it('takes the default department where its own is gone', async () => {
    const world = await aConversation();
    const departmentid = await aDepartment(world);
    await put(world, 'departments', { departmentid });
    await Department.deleteOne({ id_project: world.project.id, _id: departmentid });
    const { status, body } = await put(world, 'agent');
    expect(status).to.equal(200);
    expect(body.snapshot.department.default).to.equal(true);
  });
});

describe('PUT replace', () => {
  it('puts the bot in the place of all who take part, by id or name', async () => {
    const world = await aConversation();
    const [first, second] = [await aBot(world, 'First'), await aBot(world, 'Second')];
    for (const [body, bot] of [
      [{ id: first }, first],
      [{ name: 'Second' }, second],
    ] as const) {
      const replaced = await put(world, 'replace', body);
      expect(replaced.body).to.deep.include({
        status: 200,
        participants: [`bot_${bot}`],
        hasBot: true,
        replaced_bot_root_id: bot,
      });
    }
  });

  it('answers 400 where none is named, and 404 for an unknown or trashed one', async () => {
    const world = await aConversation();
    await Bot.updateOne({ _id: await aBot(world, 'Gone'), id_project: world.project.id }, { $set: { trashed: true } });
    const foreign = await aBot(await aConversation());
    expect((await put(world, 'replace')).status).to.equal(400);
    for (const body of [{ name: 'Gone' }, { id: foreign }, { id: 'x' }, { slug: 'robo' }])
      expect((await put(world, 'replace', body)).status).to.equal(404);
  });
});
