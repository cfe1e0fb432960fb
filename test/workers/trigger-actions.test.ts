/** The actions of triggers. */
import { expect } from 'chai';
import { BotCall } from '#shared/models/bot-call.ts';
import { Change } from '#shared/models/change.ts';
import { Department } from '#shared/models/department.ts';
import { Mail } from '#shared/models/mail.ts';
import { ACTION_KEYS, type ActionKey } from '#shared/triggers/definitions.ts';
import { api } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aTriggeredConversation, runsOf } from '../support/triggers.ts';

const callsOf = (id_project: string) => BotCall.find({ id_project }).lean();

const aDepartment = async (id_project: string, bot?: string) => {
  const [department] = await Department.create([
    { id_project, name: 'Sales', routing: 'pooled', id_bot: bot, createdBy: 'test' },
  ]);
  return String(department?._id);
};

/** The test of each action, by the key of the action. */
const ACTIONS: Record<Exclude<ActionKey, 'request.create'>, () => Promise<void>> = {
  'message.send': async () => {
    const fixture = await aTriggeredConversation(() => [
      ['message.send', { text: 'Ticket {{request.ticket_id}}: ${WELCOME_MSG}' }],
      ['message.send', { text: 'Quiet:tdk_msg_subtype_info', sender: 'bot_x', fullName: 'Robbie' }],
    ]);
    const [message, quiet] = (await fixture.messages()).slice(-2);
    expect(message).to.include({ sender: 'system', text: 'Ticket 1: Ask your question here' });
    expect(quiet).to.include({ sender: 'bot_x', senderFullname: 'Robbie', text: 'Quiet' });
    expect(quiet.attributes).to.include({ subtype: 'info' });
    expect(await fixture.read()).to.not.have.property('waiting_time');
  },
  'email.send': async () => {
    const { project } = await aTriggeredConversation(
      () => [['email.send', { text: 'Ticket {{request.ticket_id}}', subject: 'Hello' }]],
      { text: 'Hello', email: 'ann@example.com' },
    );
    const mails = await Mail.find({ id_project: project.id, template: 'emailDirect' }).lean();
    expect(mails.map(({ to }) => to)).to.deep.equal(['ann@example.com']);
    expect(mails[0]?.values).to.deep.include({ subject: 'Hello', text: 'Ticket 1' });
  },
  'bot.calling': async () => {
    const { project, request_id } = await aTriggeredConversation(async ({ project: { id } }) => [
      ['bot.calling', { botId: (await aBot(id)).id, message: 'Look here' }],
      ['bot.calling', { botId: `bot_${(await aBot(id)).id}` }],
    ]);
    const texts = (await callsOf(project.id)).map(({ text, conversation }) => [text, conversation]);
    expect(texts).to.deep.equal([
      ['Look here', request_id],
      ['go', request_id],
    ]);
  },
  'request.department.route': async () => {
    let department = '';
    const { read } = await aTriggeredConversation(async ({ project }) => {
      department = await aDepartment(project.id);
      return [['request.department.route', { departmentid: department }]];
    });
    expect(await read()).to.include({ department, status: 100 });
  },
  'request.department.route.self': async () => {
    const { read } = await aTriggeredConversation(async ({ agent, project }) => {
      await api(agent).put(`/v3/${project.id}/project_users`, { user_available: true });
      return [['request.participants.leave', { member: agent.id }], ['request.department.route.self']];
    });
    expect((await read()).department).to.be.a('string');
  },
  'request.department.bot.launch': async () => {
    let bot = '';
    const { project, read } = await aTriggeredConversation(async ({ project: { id } }) => {
      bot = (await aBot(id)).id;
      await Department.updateOne({ id_project: id, default: true }, { $set: { id_bot: bot } });
      return [
        ['request.department.bot.launch', { text: '/start' }],
        ['request.department.bot.launch', { text: '/offer' }],
      ];
    });
    expect((await read()).participantsBots).to.deep.equal([bot]);
    expect((await callsOf(project.id)).map(({ text }) => text)).to.deep.equal(['/offer']);
  },
  'request.bot.launch': async () => {
    let bot = '';
    const { read, project } = await aTriggeredConversation(async ({ project: { id } }) => {
      bot = (await aBot(id)).id;
      return [['request.bot.launch', { member: `bot_${bot}` }]];
    });
    expect((await read()).participantsBots).to.deep.equal([bot]);
    expect(await callsOf(project.id)).to.deep.equal([]);
  },
  'request.participants.join': async () => {
    const { read, agent, project } = await aTriggeredConversation(({ agent: { id } }) => [
      ['request.participants.join', { member: id }],
    ]);
    expect((await read()).participants).to.include(agent.id);
    const assigned = await eventPayload(project.id, 'request.assigned');
    expect(assigned).to.deep.include({ source: 'rules', actor: { type: 'system', id: '_trigger', name: 'System' } });
  },
  'request.participants.leave': async () => {
    const { read, agent } = await aTriggeredConversation(({ agent: { id } }) => [
      ['request.participants.join', { member: id }],
      ['request.participants.leave', { member: id }],
    ]);
    expect((await read()).participants).to.not.include(agent.id);
  },
  'request.status.update': async () => {
    const { read } = await aTriggeredConversation(() => [['request.status.update', { status: '150' }]]);
    expect(await read()).to.include({ status: 150 });
  },
  'request.close': async () => {
    const { read } = await aTriggeredConversation(() => [['request.close']]);
    expect(await read()).to.include({ status: 1000, closed_by: '_trigger' });
  },
  'request.reopen': async () => {
    const { read } = await aTriggeredConversation(() => [['request.close'], ['request.reopen']]);
    expect(await read()).to.include({ status: 100 });
  },
  'request.tags.add': async () => {
    const { read } = await aTriggeredConversation(() => [['request.tags.add', { tag: 'vip' }]]);
    expect((await read()).tags.map(({ tag }: { tag: string }) => tag)).to.deep.equal(['vip']);
  },
};

const eventPayload = async (id_project: string, name: string) =>
  (await Change.findOne({ id_project, event: name }).sort({ position: -1 }).lean())?.payload;

describe('Actions of triggers', () => {
  for (const [key, check] of Object.entries(ACTIONS)) it(`the action ${key} takes effect`, check);

  it('every action except request.create has a test', () => {
    expect([...Object.keys(ACTIONS), 'request.create']).to.have.members(ACTION_KEYS);
  });

  it('a failing action is recorded with its reason, and the next action is performed', async () => {
    const { project, read } = await aTriggeredConversation(() => [
      ['request.department.route', { departmentid: 'nowhere' }],
      ['message.send', { text: '{{ request.ticket_id | }} {% broken' }],
      ['request.tags.add', { tag: 'vip' }],
    ]);
    const [run] = await runsOf(project.id);
    expect(run?.failures?.map(({ action }: { action: number }) => action)).to.deep.equal([0, 1]);
    expect(run?.failures?.[0]).to.include({ message: 'departmentid: The project has no such department' });
    expect((await read()).tags).to.have.length(1);
  });
});
