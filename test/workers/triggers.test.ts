/** Triggers: their actions, built-in ones, exactly one run per event, limits, and the commands that they cost. */
import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { matchTriggers } from '#shared/domain/triggers/match-triggers.ts';
import { runNextAction } from '#shared/domain/triggers/run-actions.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import { Department } from '#shared/models/department.ts';
import { Change } from '#shared/models/change.ts';
import { Mail } from '#shared/models/mail.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { TriggerRun } from '#shared/models/trigger-run.ts';
import { ACTION_KEYS, type ActionKey } from '#shared/triggers/definitions.ts';
import { api } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';
import { commandsDuring, waitForAccessPoll } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import {
  aTrigger,
  eventsOf,
  performActions,
  removeBuiltInTriggers,
  runsOf,
  runTriggers,
  type TriggerFixture,
} from '../support/triggers.ts';
import { waitUntil } from '../support/wait-until.ts';

type Fixture = Awaited<ReturnType<typeof aConversation>>;
type Actions = TriggerFixture['actions'];

const aConversationWithoutBuiltIns = async () => {
  const fixture = await aConversation();
  await removeBuiltInTriggers(fixture.project.id);
  return fixture;
};

/** A conversation, and a trigger that runs on the visitor's message `go`. */
const onGo = async (actions: (fixture: Fixture) => Promise<Actions> | Actions) => {
  const fixture = await aConversationWithoutBuiltIns();
  const go = { key: 'x', fact: 'json', path: 'text', operator: 'equal', value: 'go' };
  const own = await actions(fixture);
  const trigger = await aTrigger(fixture, {
    key: 'message.create.from.requester',
    conditions: { all: [go] },
    actions: own,
  });
  await fixture.post(fixture.guest, { text: 'go' });
  await runTriggers(fixture.project.id);
  return { ...fixture, trigger };
};

const textsOf = async ({ messages }: Pick<Fixture, 'messages'>) =>
  (await messages()).map(({ text }: { text: string }) => text);

const callsOf = (id_project: string) => BotCall.find({ id_project }).lean();

const aDepartment = async (id_project: string, bot?: string) => {
  const [department] = await Department.create([
    { id_project, name: 'Sales', routing: 'pooled', id_bot: bot, createdBy: 'test' },
  ]);
  return String(department?._id);
};

/** Each action: the parameters, which may need records, and the expectation. */
const ACTIONS: Record<Exclude<ActionKey, 'request.create'>, () => Promise<void>> = {
  'message.send': async () => {
    const fixture = await onGo(() => [
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
    const { project, read } = await onGo(async ({ one, owner, read: readConversation }) => {
      const { lead } = await readConversation();
      await api(owner).put(`${one.replace(/requests.*/, '')}leads/${lead._id}`, { email: 'ann@example.com' });
      return [['email.send', { text: 'Ticket {{request.ticket_id}}', subject: 'Hello' }]];
    });
    const { snapshot } = await read();
    const mails = await Mail.find({ id_project: project.id, template: 'emailDirect' }).lean();
    const expected = snapshot.lead.email ? [{ to: 'ann@example.com', subject: 'Hello', text: 'Ticket 1' }] : [];
    const sent = mails.map(({ to, values }) => ({ to, ...(values as { subject: string; text: string }) }));
    expect(sent).to.deep.equal(expected);
  },
  'bot.calling': async () => {
    const { project, request_id } = await onGo(async ({ project: { id } }) => [
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
    const { read } = await onGo(async ({ project }) => {
      department = await aDepartment(project.id);
      return [['request.department.route', { departmentid: department }]];
    });
    expect(await read()).to.include({ department, status: 100 });
  },
  'request.department.route.self': async () => {
    const { read } = await onGo(async ({ agent, project }) => {
      await api(agent).put(`/v3/${project.id}/project_users`, { user_available: true });
      return [['request.participants.leave', { member: agent.id }], ['request.department.route.self']];
    });
    expect((await read()).department).to.be.a('string');
  },
  'request.department.bot.launch': async () => {
    let bot = '';
    const { project, read } = await onGo(async ({ project: { id } }) => {
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
    const { read, project } = await onGo(async ({ project: { id } }) => {
      bot = (await aBot(id)).id;
      return [['request.bot.launch', { member: `bot_${bot}` }]];
    });
    expect((await read()).participantsBots).to.deep.equal([bot]);
    expect(await callsOf(project.id)).to.deep.equal([]);
  },
  'request.participants.join': async () => {
    const { read, agent, project } = await onGo(({ agent: { id } }) => [['request.participants.join', { member: id }]]);
    expect((await read()).participants).to.include(agent.id);
    const assigned = await eventPayload(project.id, 'request.assigned');
    expect(assigned).to.deep.include({ source: 'rules', actor: { type: 'system', id: '_trigger', name: 'System' } });
  },
  'request.participants.leave': async () => {
    const { read, agent } = await onGo(({ agent: { id } }) => [
      ['request.participants.join', { member: id }],
      ['request.participants.leave', { member: id }],
    ]);
    expect((await read()).participants).to.not.include(agent.id);
  },
  'request.status.update': async () => {
    const { read } = await onGo(() => [['request.status.update', { status: '150' }]]);
    expect(await read()).to.include({ status: 150 });
  },
  'request.close': async () => {
    const { read } = await onGo(() => [['request.close']]);
    expect(await read()).to.include({ status: 1000, closed_by: '_trigger' });
  },
  'request.reopen': async () => {
    const { read } = await onGo(() => [['request.close'], ['request.reopen']]);
    expect(await read()).to.include({ status: 100 });
  },
  'request.tags.add': async () => {
    const { read } = await onGo(() => [['request.tags.add', { tag: 'vip' }]]);
    expect((await read()).tags.map(({ tag }: { tag: string }) => tag)).to.deep.equal(['vip']);
  },
};

const eventPayload = async (id_project: string, name: string) =>
  (await Change.findOne({ id_project, event: name }).sort({ position: -1 }).lean())?.payload;

describe('Actions of triggers', () => {
  for (const [key, check] of Object.entries(ACTIONS)) it(`${key} has its effect`, check);

  it('every action has a test', () => {
    expect([...Object.keys(ACTIONS), 'request.create'].sort()).to.deep.equal([...ACTION_KEYS].sort());
  });

  it('a failing action is recorded with its reason, and the next one is performed', async () => {
    const { project, read } = await onGo(() => [
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

/** A project whose visitor emits a custom event. */
const emitAs = async (attributes: object, name = 'event.emit.new_conversation') => {
  const fixture = await aProject();
  const emit = (more = attributes, as = fixture.guest) =>
    api(as).post(`/v3/${fixture.project.id}/events`, { name, attributes: more });
  const read = async (request_id: string) =>
    (await api(fixture.owner).get(`/v3/${fixture.project.id}/requests/${request_id}`)).body;
  const messages = async (request_id: string) =>
    (await api(fixture.owner).get(`/v3/${fixture.project.id}/requests/${request_id}/messages`)).body;
  await emit();
  return { ...fixture, id: fixture.project.id, emit, read, messages };
};

describe('Built-in triggers', () => {
  it('new_conversation opens a temporary conversation for the visitor and greets them in their language', async () => {
    const { id, guest, read, messages } = await emitAs({ request_id: 'chat-1', language: 'it', fullname: 'Ann' });
    await runTriggers(id);
    const request = await read('chat-1');
    expect(request).to.include({ status: 50, preflight: true, first_text: 'welcome', language: 'it' });
    expect(request.lead).to.include({ lead_id: guest.id, fullname: 'Ann' });
    const [first, greeting, ...others] = await messages('chat-1');
    expect(first).to.include({ sender: guest.id, text: 'welcome' });
    expect(greeting).to.include({ sender: 'system' });
    expect(greeting.text).to.equal('Dicci che cosa ti serve, ti rispondiamo presto');
    expect(others).to.deep.equal([]);
  });

  it('the greeting depends on agents and operating hours, and a bot of the department is started instead', async () => {
    const { id, owner, emit, messages, read } = await emitAs({ request_id: 'online' });
    await runTriggers(id);
    await ProjectUser.updateMany({ id_project: id }, { $set: { user_available: false } });
    await emit({ request_id: 'offline' });
    await runTriggers(id);
    const closed = JSON.stringify({ tzname: 'UTC', 0: [], 1: [], 2: [], 3: [], 4: [], 5: [], 6: [] });
    await api(owner).put(`/v3/projects/${id}`, { activeOperatingHours: true, operatingHours: closed });
    await emit({ request_id: 'closed' });
    await runTriggers(id);
    const bot = (await aBot(id)).id;
    await Department.updateOne({ id_project: id, default: true }, { $set: { id_bot: bot } });
    await emit({ request_id: 'bot' });
    await runTriggers(id);
    const last = async (request_id: string) => (await messages(request_id)).at(-1).text;
    expect(await last('offline')).to.match(/^Nobody is here/);
    expect(await last('online')).to.match(/^Tell us what you need/);
    expect(await last('closed')).to.match(/^We are closed/);
    expect(await read('bot')).to.deep.include({ participantsBots: [bot], preflight: true });
    expect(await messages('bot')).to.have.length(1);
  });

  it('an event of a visitor neither changes nor answers the conversation of another visitor', async () => {
    const { id, admin, project, emit, messages, owner } = await emitAs({});
    const own = await aTrigger({ project, admin }, { key: 'event.emit', actions: [['request.close']] });
    await api(owner).post(`/v3/${id}/requests`, { first_text: 'Secret', request_id: 'foreign' });
    await emit({ request_id: 'foreign' });
    await runTriggers(id);
    expect(await messages('foreign')).to.have.length(0);
    const runs = (await runsOf(id)).filter(
      ({ trigger, conversation }) => trigger === own && conversation === 'foreign',
    );
    expect(runs.map(({ failures }) => failures?.[0].message)).to.deep.equal([
      'request_id: the conversation belongs to another visitor than the event',
    ]);
  });

  it('a conversation that the visitor has opened meanwhile stays as it is', async () => {
    const { id, guest, read, messages, emit } = await emitAs({});
    await api(guest).post(`/v3/${id}/requests/mine/messages`, { text: 'Hello' });
    await emit({ request_id: 'mine' });
    await runTriggers(id);
    expect(await read('mine')).to.include({ preflight: false, first_text: 'Hello' });
    expect(await messages('mine')).to.have.length(1);
  });
});

describe('Runs of triggers', () => {
  it('are made once for an event that is consumed again, and an interrupted action sends no second message', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['message.send', { text: 'Hi' }]] });
    await fixture.post(fixture.guest, { text: 'go' });
    const events = await eventsOf(id);
    await Promise.all([matchTriggers(events), matchTriggers(events)]);
    await performActions(id);
    const before = await textsOf(fixture);
    // A worker that was killed after the action and before its record leaves the run like this.
    for (const attemptsMade of [1, 2])
      await TriggerRun.updateMany({ id_project: id }, { $set: { next: 0, attemptsMade, dueAt: new Date() } }).then(() =>
        performActions(id),
      );
    await matchTriggers(events);
    await performActions(id);
    expect(before.filter((text: string) => text === 'Hi')).to.have.length(2);
    expect(await textsOf(fixture)).to.deep.equal(before);
  });

  it('a repeated close does not close a conversation that was reopened since', async () => {
    const { project, one, agent, owner, read } = await onGo(() => [['request.close']]);
    await api(owner).put(`${one}/reopen`);
    const killed = { next: 0, attemptsMade: 1, dueAt: new Date() };
    await TriggerRun.updateMany({ id_project: project.id }, { $set: killed });
    await performActions(project.id);
    expect(await read(), agent.id).to.include({ status: 100 });
  });

  it('actions start 500 ms apart, in their order', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const actions: Actions = ['1', '2'].map((text) => ['message.send', { text }]);
    await aTrigger(fixture, { key: 'message.create.from.requester', actions });
    await fixture.post(fixture.guest, { text: 'go' });
    await matchTriggers((await eventsOf(id)).slice(-1));
    expect(await runNextAction(id)).to.equal(true);
    expect(await runNextAction(id)).to.equal(false);
    const [run] = await runsOf(id);
    expect(run?.next).to.equal(1);
    expect((run?.dueAt as Date).getTime() - Date.now()).to.be.within(1, 500);
    await performActions(id);
    expect((await textsOf(fixture)).slice(-2)).to.deep.equal(['1', '2']);
  });

  it('the messages of triggers start triggers, but not without end', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const { lead } = await fixture.read();
    const answer: Actions = [['message.send', { text: 'Again', sender: lead.lead_id }]];
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: answer });
    await fixture.post(fixture.guest, { text: 'go' });
    await runTriggers(id);
    const depths = (await runsOf(id)).map(({ depth }) => depth);
    // Two messages of the visitor, each with a chain of three runs.
    expect(depths.toSorted()).to.deep.equal([1, 1, 2, 2, 3, 3]);
  });

  it('a trigger runs at most 60 times per hour in a conversation', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const trigger = await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['request.reopen']] });
    const run = { id_project: id, trigger, conversation: fixture.request_id, depth: 1 };
    const event = { event_id: 'e', event: 'message.create', record: 'r', position: 'p' };
    await TriggerRun.insertMany(Array.from({ length: 60 }, (_, index) => ({ _id: `${id}${index}`, ...run, ...event })));
    await matchTriggers(await eventsOf(id));
    expect(await TriggerRun.countDocuments({ id_project: id })).to.equal(60);
  });

  it('a deleted or disabled trigger performs no further action', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const trigger = await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['request.close']] });
    await matchTriggers(await eventsOf(id));
    await api(fixture.admin).put(`/v3/${id}/modules/triggers/${trigger}`, { enabled: false });
    await performActions(id);
    expect(await fixture.read()).to.not.include({ status: 1000 });
    expect((await runsOf(id)).map(({ dueAt }) => dueAt)).to.deep.equal([undefined]);
  });

  it('the jobs of the workers run triggers on events', async () => {
    await initCursors();
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['request.tags.add', { tag: 'job' }]] });
    await fixture.post(fixture.guest, { text: 'go' });
    await waitUntil(async () => {
      await runJobsOnEvents(id);
      return (await fixture.read()).tags.length === 1;
    });
  });
});

describe('Cost of triggers', () => {
  it('a batch of events costs no command without triggers, one with triggers that do not match', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const messages = (await eventsOf(id)).filter(({ event }) => event === 'message.create');
    await matchTriggers(messages);
    expect(await commandsDuring(() => matchTriggers(messages))).to.deep.equal([]);
    const never = [{ key: 'x', fact: 'json', path: 'text', operator: 'equal', value: 'never' }];
    for (const _ of [1, 2, 3])
      await aTrigger(fixture, {
        key: 'message.create.from.requester',
        conditions: { all: never },
        actions: [['request.close']],
      });
    await matchTriggers(await eventsOf(id));
    await waitForAccessPoll();
    await matchTriggers(messages);
    const commands = (await commandsDuring(() => matchTriggers(messages))) as { find?: string }[];
    expect(commands.map(({ find }) => find)).to.deep.equal(['changes']);
  });

  it('a trigger that runs costs five commands besides its action', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, {
      key: 'message.create.from.requester',
      actions: [['request.participants.leave', { member: 'x' }]],
    });
    const events = await eventsOf(id);
    const matching = await commandsDuring(() => matchTriggers(events));
    expect(matching.length, JSON.stringify(matching)).to.equal(5);
    const performing = await commandsDuring(() => runNextAction(id));
    expect(performing.length, JSON.stringify(performing)).to.be.at.most(9);
  });
});
