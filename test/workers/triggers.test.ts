/** Runs of triggers: once per event, in order and within limits, and the number of MongoDB commands that they cost. */
import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { matchTriggers } from '#shared/domain/triggers/match-triggers.ts';
import { runNextAction } from '#shared/domain/triggers/run-actions.ts';
import { TriggerRun } from '#shared/models/trigger-run.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { api } from '../support/api.ts';
import { commandsDuring, waitForAccessPoll } from '../support/mongo-commands.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import {
  aConversationWithoutBuiltIns,
  aTrigger,
  aTriggeredConversation,
  type ConversationFixture,
  eventsOf,
  performActions,
  runsOf,
  runTriggers,
  type TriggerFixture,
} from '../support/triggers.ts';
import { waitUntil } from '../support/wait-until.ts';

const MINUTE_MS = 60_000;

const textsOf = async ({ messages }: Pick<ConversationFixture, 'messages'>) =>
  (await messages()).map(({ text }: { text: string }) => text);

describe('Runs of triggers', () => {
  it('a trigger runs once for an event that is consumed again, and an interrupted action sends no second message', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: [['message.send', { text: 'Hi' }]] });
    await fixture.post(fixture.guest, { text: 'go' });
    const events = await eventsOf(id);
    await Promise.all([matchTriggers(events), matchTriggers(events)]);
    await performActions(id);
    const before = await textsOf(fixture);
    // A worker that is killed after an action, but before it has recorded the action, leaves the run in this state.
    for (const attemptsMade of [1, 2])
      await TriggerRun.updateMany({ id_project: id }, { $set: { next: 0, attemptsMade, dueAt: new Date() } }).then(() =>
        performActions(id),
      );
    await matchTriggers(events);
    await performActions(id);
    expect(before.filter((text: string) => text === 'Hi')).to.have.length(2);
    expect(await textsOf(fixture)).to.deep.equal(before);
  });

  it('a repeated close does not close a conversation that has since been reopened', async () => {
    const { project, one, owner, read } = await aTriggeredConversation(() => [['request.close']]);
    await api(owner).put(`${one}/reopen`);
    const killed = { next: 0, attemptsMade: 1, dueAt: new Date() };
    await TriggerRun.updateMany({ id_project: project.id }, { $set: killed });
    await performActions(project.id);
    expect(await read()).to.include({ status: 100 });
  });

  it('actions start 500 ms apart, in their order', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const actions: TriggerFixture['actions'] = ['1', '2'].map((text) => ['message.send', { text }]);
    await aTrigger(fixture, { key: 'message.create.from.requester', actions });
    await fixture.post(fixture.guest, { text: 'go' });
    await matchTriggers((await eventsOf(id)).slice(-1));
    const startedMs = currentTimeMs();
    expect(await runNextAction(id)).to.equal(true);
    const endedMs = currentTimeMs();
    const [run] = await runsOf(id);
    expect(run?.next).to.equal(1);
    expect(Number(run?.dueAt)).to.be.within(startedMs + 500, endedMs + 500);
    await TriggerRun.updateMany({ id_project: id }, { $set: { dueAt: new Date(endedMs + MINUTE_MS) } });
    expect(await runNextAction(id)).to.equal(false);
    await performActions(id);
    expect((await textsOf(fixture)).slice(-2)).to.deep.equal(['1', '2']);
  });

  it('messages that triggers send start triggers again, in chains of at most three runs', async () => {
    const fixture = await aConversationWithoutBuiltIns();
    const { id } = fixture.project;
    const { lead } = await fixture.read();
    const answer: TriggerFixture['actions'] = [['message.send', { text: 'Again', sender: lead.lead_id }]];
    await aTrigger(fixture, { key: 'message.create.from.requester', actions: answer });
    await fixture.post(fixture.guest, { text: 'go' });
    await runTriggers(id);
    const depths = (await runsOf(id)).map(({ depth }) => depth);
    // Two messages from the visitor, each with a chain of three runs.
    expect(depths).to.have.members([1, 1, 2, 2, 3, 3]);
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

  it('a disabled trigger performs no further action', async () => {
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
  it('a batch of events costs no MongoDB command if the project has no triggers, and one if none of its triggers matches', async () => {
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

  it('starting a run costs five MongoDB commands, and performing an action at most nine', async () => {
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
