/** Trials of triggers while the worker is killed: no action is lost, and each takes effect exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BotCall } from '#shared/models/bot-call.ts';
import { Change } from '#shared/models/change.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { Mail } from '#shared/models/mail.ts';
import { Message } from '#shared/models/message.ts';
import { TriggerRun } from '#shared/models/trigger-run.ts';
import { User } from '#shared/models/user.ts';
import { api } from './api.ts';
import { aBot, aBotServer } from './bots.ts';
import { times } from './fleet-fixture.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aProject, aVisitor } from './people.ts';
import { random } from './seeded-random.ts';
import { aTrigger, removeBuiltInTriggers } from './triggers.ts';
import { waitUntil } from './wait-until.ts';

const PATIENCE_SECONDS = 240;
const MAX_PAUSE_MS = 1500;
const PER_CONVERSATION = 2;

interface KillTrial {
  conversations: number;
  /** How many times a worker is killed while runs are open. */
  kills: number;
}

const aDepartment = async (id_project: string): Promise<string> => {
  const [department] = await Department.create([{ id_project, name: 'Sales', routing: 'pooled', createdBy: 'test' }]);
  return String(department?._id);
};

/** A project with a trigger whose actions have effects that can be counted. */
const aProjectWithTrigger = async () => {
  const fixture = await aProject();
  const { id } = fixture.project;
  await User.updateOne({ _id: fixture.owner.id }, { $set: { emailverified: true } });
  await removeBuiltInTriggers(id);
  const server = await aBotServer();
  const bot = (await aBot(id, { type: 'external', url: server.url })).id;
  const department = await aDepartment(id);
  await aTrigger(fixture, {
    key: 'message.create.from.requester',
    actions: [
      ['message.send', { text: 'Answer' }],
      ['request.department.route', { departmentid: department }],
      ['bot.calling', { botId: bot, message: 'Look here' }],
      ['email.send', { text: 'Mail', subject: 'Hello' }],
      ['request.tags.add', { tag: 'vip' }],
      ['request.participants.join', { member: fixture.agent.id }],
      ['request.status.update', { status: 150 }],
    ],
  });
  return { ...fixture, server, department };
};

type Fixture = Awaited<ReturnType<typeof aProjectWithTrigger>>;

/** Opens a conversation of a new visitor with messages that start the trigger. Returns the visitor's email address. */
const startConversation = async ({ project }: Fixture, n: number): Promise<string> => {
  const visitor = await aVisitor(project.id);
  const email = `visitor-${n}@example.org`;
  const path = `/v3/${project.id}/requests/conversation-${n}/messages`;
  for (const index of times(PER_CONVERSATION, Number))
    expect((await api(visitor).post(path, { text: `go ${index}`, email })).status).to.equal(200);
  return email;
};

const countOf = (id_project: string, filter: object) => Message.countDocuments({ id_project, ...filter });

/** The number of events that triggers have emitted, by the name of the event and the `comment` in its payload. */
const eventsOfTriggers = async (id_project: string): Promise<Record<string, number>> => {
  const counted = await Change.aggregate<{ _id: { event: string; comment?: string }; count: number }>([
    {
      $match: { id_project, 'actor.id': '_trigger', event: { $in: ['request.updated', 'request.participants.join'] } },
    },
    { $group: { _id: { event: '$event', comment: '$payload.comment' }, count: { $sum: 1 } } },
  ]).option({ id_project });
  return Object.fromEntries(counted.map(({ _id: { event, comment = '' }, count }) => [`${event} ${comment}`, count]));
};

/**
 * Starts triggers while the worker is killed, and expects that each action takes effect exactly once and none is lost.
 */
export const runTriggersWhileWorkerIsKilled = async (
  { smtp, killWorker }: KillableWorker,
  { conversations, kills }: KillTrial,
): Promise<void> => {
  const fixture = await aProjectWithTrigger();
  const id_project = fixture.project.id;
  const runs = conversations * PER_CONVERSATION;
  const posted = Promise.all(times(conversations, (n) => startConversation(fixture, n)));
  const isBusy = async () => (await TriggerRun.exists({ id_project, dueAt: { $exists: true } })) !== null;
  for (const _ of times(kills, Number)) {
    await waitUntil(isBusy, PATIENCE_SECONDS);
    await sleep(random() * MAX_PAUSE_MS);
    await killWorker();
  }
  const emails = await posted;
  const areDone = async () => (await TriggerRun.countDocuments({ id_project, dueAt: null })) === runs;
  await waitUntil(areDone, PATIENCE_SECONDS);
  await waitUntil(async () => !(await BotCall.exists({ id_project, dueAt: { $exists: true } })), PATIENCE_SECONDS);
  const ofTrigger = { id_project, template: 'emailDirect' };
  await waitUntil(async () => !(await Mail.exists({ ...ofTrigger, dueAt: { $exists: true } })), PATIENCE_SECONDS);
  const routed = { id_project, department: fixture.department, 'tags.0.tag': 'vip', 'tags.1': { $exists: false } };
  const called = fixture.server.calls.map(({ headers }) => headers['webhook-id']);
  expect({
    failures: (await TriggerRun.find({ id_project, failures: { $exists: true } }).lean()).map((run) => run.failures),
    answers: await countOf(id_project, { text: 'Answer' }),
    conversations: await Conversation.countDocuments({ ...routed, participants: fixture.agent.id, status: 150 }),
    calls: new Set(called).size,
    mails: emails.flatMap((email) => smtp.to(email)).length,
  }).to.deep.equal({ failures: [], answers: runs, conversations, calls: runs, mails: runs });
  const events = await eventsOfTriggers(id_project);
  expect(events).to.include({ 'request.updated TAG_ADD': conversations });
  // A repeated attempt emits no event if another run in the conversation has set the status in the meantime.
  expect(events['request.updated PATCH']).to.be.within(conversations, runs);
};
