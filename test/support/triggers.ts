/** Triggers of a project, and their runs without the job queue. */
import { runNextAction } from '#shared/domain/triggers/run-actions.ts';
import { matchTriggers } from '#shared/domain/triggers/match-triggers.ts';
import { Trigger } from '#shared/models/trigger.ts';
import { TriggerRun } from '#shared/models/trigger-run.ts';
import { api, type Caller } from './api.ts';
import { relayedChanges } from './changes-log.ts';
import { aConversation } from './conversations.ts';

/** A trigger as a test describes it. */
export interface TriggerFixture {
  key: string;
  conditions?: { all?: object[]; any?: object[] };
  actions: [key: string, parameters?: object][];
}

/** Removes the built-in triggers of a project, so that only the triggers that a test creates run. */
export const removeBuiltInTriggers = async (id_project: string): Promise<void> => {
  await Trigger.deleteMany({ id_project, type: 'internal' });
};

/** Creates a trigger over HTTP and returns its id. */
export const aTrigger = async (
  { project, admin }: { project: { id: string }; admin: Caller },
  { key, conditions = {}, actions }: TriggerFixture,
): Promise<string> => {
  const body = {
    name: 'Test',
    trigger: { key, name: key },
    conditions,
    actions: actions.map(([action, parameters = {}]) => ({ key: action, parameters })),
  };
  const reply = await api(admin).post(`/v3/${project.id}/modules/triggers`, body);
  if (reply.status !== 200) throw new Error(`the trigger was rejected: ${reply.text}`);
  return reply.body._id;
};

/** The events of a project so far, as the listener that starts triggers receives them. */
export const eventsOf = async (id_project: string) =>
  (await relayedChanges(id_project)).map(({ _id: id, event, record, position }) => {
    const key = record ?? id_project;
    return { id_project, id, event, record: key, position, orderingKey: key };
  });

/** Performs the actions of all stored runs of a project; returns the number of actions. */
export const performActions = async (id_project: string): Promise<number> => {
  for (let count = 0; ; count++) {
    const open = { id_project, dueAt: { $exists: true } };
    await TriggerRun.updateMany(open, { $set: { dueAt: new Date() } });
    if (!(await runNextAction(id_project))) return count;
  }
};

/** The position up to which `runTriggers` has consumed the events of each project. */
const consumedPositions = new Map<string, string>();

const newEventsOf = async (id_project: string) => {
  const from = consumedPositions.get(id_project) ?? '';
  const events = (await eventsOf(id_project)).filter(({ position }) => position > from);
  consumedPositions.set(id_project, events.at(-1)?.position ?? from);
  return events;
};

/** Runs the triggers for the new events of a project, and for the events that their actions cause. */
export const runTriggers = async (id_project: string): Promise<void> => {
  for (let isDue = true; isDue; ) {
    await matchTriggers(await newEventsOf(id_project));
    isDue = (await performActions(id_project)) > 0;
  }
};

/**
 * Repeats the action of each run of a project whose runs have only one action, as if a worker had been killed after
 * performing the action and before recording it.
 */
export const repeatAction = async (id_project: string): Promise<void> => {
  const killed = { next: 0, attemptsMade: 1, dueAt: new Date() };
  await TriggerRun.updateMany({ id_project }, { $set: killed });
  await performActions(id_project);
};

/** The runs of a project in the order in which they were created. */
export const runsOf = (id_project: string) => TriggerRun.find({ id_project }).sort({ createdAt: 1, _id: 1 }).lean();

type Actions = TriggerFixture['actions'];

/** A conversation of a project without built-in triggers. */
export const aConversationWithoutBuiltIns = async (firstMessage?: object) => {
  const fixture = await aConversation(firstMessage);
  await removeBuiltInTriggers(fixture.project.id);
  return fixture;
};

/** A conversation with its people. */
export type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

/** A conversation, and a trigger that has run on the visitor's message `go`. */
export const aTriggeredConversation = async (
  actions: (fixture: ConversationFixture) => Promise<Actions> | Actions,
  firstMessage?: object,
) => {
  const fixture = await aConversationWithoutBuiltIns(firstMessage);
  const isGo = { key: 'x', fact: 'json', path: 'text', operator: 'equal', value: 'go' };
  const key = 'message.create.from.requester';
  await aTrigger(fixture, { key, conditions: { all: [isGo] }, actions: await actions(fixture) });
  await fixture.post(fixture.guest, { text: 'go' });
  await runTriggers(fixture.project.id);
  return fixture;
};
