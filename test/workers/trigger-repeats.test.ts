/** Trigger actions that are repeated because a worker was killed before it recorded them. */
import { expect } from 'chai';
import { matchTriggers } from '#shared/domain/triggers/match-triggers.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import { Budget } from '#shared/models/budget.ts';
import { Mail } from '#shared/models/mail.ts';
import { TriggerRun } from '#shared/models/trigger-run.ts';
import { ACTION_KEYS, type ActionKey } from '#shared/triggers/definitions.ts';
import { aBot } from '../support/bots.ts';
import { relayedChanges } from '../support/changes-log.ts';
import {
  aConversationWithoutBuiltIns,
  aTrigger,
  aTriggeredConversation,
  type ConversationFixture,
  eventsOf,
  performActions,
  repeatAction,
} from '../support/triggers.ts';

type Parameters = (fixture: ConversationFixture) => Promise<object> | object;

const memberBot: Parameters = async ({ project }) => ({ member: `bot_${(await aBot(project.id)).id}` });

/** The parameters of each action except `request.create`, which does nothing in a conversation that exists. */
const PARAMETERS: Record<Exclude<ActionKey, 'request.create'>, Parameters> = {
  'message.send': () => ({ text: 'Ticket {{request.ticket_id}}' }),
  'email.send': () => ({ text: 'Hello', subject: 'Hi' }),
  'bot.calling': async ({ project }) => ({ botId: (await aBot(project.id)).id }),
  'request.department.route': async ({ read }) => ({ departmentid: (await read()).department }),
  'request.department.route.self': () => ({}),
  'request.department.bot.launch': () => ({ text: '/offer' }),
  'request.bot.launch': memberBot,
  'request.participants.join': memberBot,
  'request.participants.leave': ({ agent }) => ({ member: agent.id }),
  'request.status.update': () => ({ status: 150 }),
  'request.close': () => ({}),
  'request.reopen': () => ({}),
  'request.tags.add': () => ({ tag: 'vip' }),
};

/** The events of the project, its calls to bots and its emails. */
const effectsOf = async (id_project: string) => ({
  events: (await relayedChanges(id_project)).map(({ event }) => event),
  calls: (await BotCall.find({ id_project }).lean()).map(({ _id, text }) => `${_id} ${text}`),
  mails: await Mail.countDocuments({ id_project, template: 'emailDirect' }),
});

describe('Repeated actions of triggers', () => {
  for (const [key, parametersOf] of Object.entries(PARAMETERS))
    it(`the action ${key} has no second effect`, async () => {
      const opened = { text: 'Hello', email: 'ann@example.com' };
      const { project } = await aTriggeredConversation(async (fixture) => [[key, await parametersOf(fixture)]], opened);
      const before = await effectsOf(project.id);
      await repeatAction(project.id);
      expect(await effectsOf(project.id)).to.deep.equal(before);
    });

  it('the table of parameters has a row for every action except request.create', () => {
    expect([...Object.keys(PARAMETERS), 'request.create']).to.have.members(ACTION_KEYS);
  });

  it('a batch of events that is repeated after an interruption starts the missing run, even if it is the last one that the hourly limit allows', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['message.send', { text: 'Hi' }]] });
    await fixture.post(fixture.guest, { text: 'go' });
    const events = await eventsOf(id);
    await matchTriggers(events);
    const runs = await TriggerRun.find({ id_project: id }).lean();
    const filler = Array.from({ length: 58 }, (_, index) => ({ ...runs[0], _id: `${id}${index}`, dueAt: undefined }));
    await TriggerRun.insertMany(filler);
    await TriggerRun.deleteOne({ id_project: id, _id: runs[1]?._id });
    await matchTriggers(events);
    expect(await TriggerRun.countDocuments({ id_project: id })).to.equal(60);
    expect(await performActions(id)).to.equal(2);
  });

  it("a batch of events that is repeated after an interruption does not spend the project's hourly budget of runs again", async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['message.send', { text: 'Hi' }]] });
    await fixture.post(fixture.guest, { text: 'go' });
    const events = await eventsOf(id);
    await matchTriggers(events);
    await matchTriggers(events);
    const budget = await Budget.findOne({ id_project: id, name: 'triggers' }).lean();
    expect(budget?.spent).to.equal(await TriggerRun.countDocuments({ id_project: id }));
  });
});
