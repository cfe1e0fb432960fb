/**
 * Starts the triggers of events: stores a run for each event and each trigger whose conditions hold. The
 * `triggers.run` job performs the actions.
 */
import { createHash } from 'node:crypto';
import { spend } from '../../budgets/budgets.ts';
import { config } from '../../config.ts';
import { countRecords } from '../../database/raw-read.ts';
import { insertEachMissing } from '../../database/raw-write.ts';
import { logger } from '../../logger.ts';
import { TriggerRun } from '../../models/trigger-run.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import type { TriggerKey } from '../../triggers/definitions.ts';
import type { OrderedEvent } from '../events/listeners.ts';
import { findLoggedEvents, type LoggedEvent } from '../events/logged-event.ts';
import { type ActiveTrigger, findActiveTriggers, forgetTriggers } from './active-triggers.ts';
import { meetsConditions, readsFact } from './conditions.ts';
import { conversationIdOf } from './conversation-id.ts';
import { factsOf, isOpenFact, startsTriggers, type TriggerPayload, triggerKeyOf } from './facts.ts';
import { wakeProjects } from './run-queue.ts';

/**
 * Maximum depth of a run. Events caused by people and programs start runs of depth 1. The actions of these runs cause
 * further events, which start runs of depth 2, and so on. The events of the deepest runs start no runs, so that
 * triggers cannot loop.
 */
const MAX_DEPTH = 3;
/**
 * Maximum number of runs of one trigger in one conversation per hour. It also ends loops in which a bot's reply starts
 * the trigger that called the bot.
 */
const MAX_RUNS_PER_CONVERSATION = 60;
const HOUR_SECONDS = 3600;
const ID_CHARACTERS = 24;

/** An event, and the triggers that it may start. */
interface Candidate {
  event: OrderedEvent;
  key: TriggerKey;
  triggers: ActiveTrigger[];
}

const readTriggersByProject = async (events: OrderedEvent[]): Promise<Map<string, ActiveTrigger[]>> => {
  const changed = events.filter(({ event }) => event.startsWith('trigger.'));
  forgetTriggers(changed.map(({ id_project }) => id_project));
  const projects = new Set(events.filter(({ event }) => triggerKeyOf(event)).map(({ id_project }) => id_project));
  const entries = [...projects].map(async (id_project) => [id_project, await findActiveTriggers(id_project)] as const);
  return new Map(await Promise.all(entries));
};

const findCandidates = async (events: OrderedEvent[]): Promise<Candidate[]> => {
  const byProject = await readTriggersByProject(events);
  return events.flatMap((event) => {
    const key = triggerKeyOf(event.event);
    const triggers = (byProject.get(event.id_project) ?? []).filter((trigger) => trigger.key === key);
    return key && triggers.length ? [{ event, key, triggers }] : [];
  });
};

const EVENT_FIELDS = { payload: 1, actor: 1, createdAt: 1 } as const;

type ChangeFields = Pick<LoggedEvent, 'actor' | 'createdAt'> & { payload?: TriggerPayload };

const matchingTriggers = async (
  { event, key, triggers }: Candidate,
  { payload = {}, createdAt }: ChangeFields,
): Promise<ActiveTrigger[]> => {
  if (!startsTriggers(payload, key)) return [];
  const facts = factsOf(payload, key);
  const needsHours = triggers.some(({ conditions }) => readsFact(conditions, 'isOpen'));
  if (needsHours) facts.isOpen = await isOpenFact(event.id_project, createdAt);
  return triggers.filter(({ conditions }) => meetsConditions(facts, conditions));
};

const runId = (event: string, trigger: string): string =>
  createHash('sha256').update(`${event} ${trigger}`).digest('hex').slice(0, ID_CHARACTERS);

const newRun = (event: OrderedEvent, trigger: ActiveTrigger, { payload = {}, depth }: RunCause) => {
  const { id_project, id: event_id, event: name, record, position } = event;
  const run = runId(event_id, trigger.id);
  const now = currentTime();
  return {
    ...{ _id: run, id_project, trigger: trigger.id, event_id, event: name, record, position, depth },
    conversation: conversationIdOf(payload, { id_project, run }),
    ...{ next: 0, attemptsMade: 0, dueAt: now, createdAt: now, updatedAt: now, __v: 0 },
  };
};

interface RunCause {
  payload?: TriggerPayload;
  depth: number;
}

type NewRun = ReturnType<typeof newRun>;

const logChainLimit = ({ id_project: project, id: event }: OrderedEvent, triggers: ActiveTrigger[]): void => {
  for (const { id: trigger } of triggers)
    logger.warn(
      { project, trigger, event, limit: MAX_DEPTH },
      'maximum depth of trigger runs reached: trigger does not run',
    );
};

const startRuns = async (candidate: Candidate, change?: ChangeFields): Promise<NewRun[]> => {
  const depth = (change?.actor?.depth ?? 0) + 1;
  if (!change?.payload) return [];
  const triggers = await matchingTriggers(candidate, change);
  if (depth > MAX_DEPTH) {
    logChainLimit(candidate.event, triggers);
    return [];
  }
  return triggers.map((trigger) => newRun(candidate.event, trigger, { payload: change.payload, depth }));
};

/**
 * Returns the runs of one trigger in one conversation that the hourly limit allows. Runs that an interrupted attempt at
 * the batch has stored do not count again.
 */
const withinConversationLimit = async (runs: NewRun[]): Promise<NewRun[]> => {
  const [{ id_project, trigger, conversation } = {} as NewRun] = runs;
  const since = new Date(currentTimeMs() - HOUR_SECONDS * 1000);
  const others = { _id: { $nin: runs.map(({ _id }) => _id) } };
  const recent = { id_project, trigger, conversation, createdAt: { $gt: since }, ...others };
  const made = await countRecords(TriggerRun, recent, MAX_RUNS_PER_CONVERSATION);
  const allowed = runs.slice(0, Math.max(0, MAX_RUNS_PER_CONVERSATION - made));
  if (allowed.length < runs.length)
    logger.warn({ project: id_project, trigger }, 'hourly limit of a trigger in a conversation reached');
  return allowed;
};

const triggerBudget = (id_project: string) => ({ id_project, name: 'triggers', seconds: HOUR_SECONDS });

/** Returns the runs of one project that the project's hourly budget allows. */
const withinProjectBudget = async (id_project: string, runs: NewRun[]): Promise<NewRun[]> => {
  const limit = config.PROJECT_TRIGGER_RUNS_PER_HOUR;
  const sum = await spend(triggerBudget(id_project), runs.length);
  const allowed = runs.slice(0, Math.max(0, limit - (sum - runs.length)));
  if (allowed.length < runs.length)
    logger.warn({ project: id_project, limit }, 'PROJECT_TRIGGER_RUNS_PER_HOUR is exhausted: triggers do not run');
  return allowed;
};

/** Refunds the budgets of the projects for runs that an earlier attempt at the batch had already stored and charged. */
const refundRepeated = async (runs: NewRun[]): Promise<void> => {
  for (const [id_project, own] of Map.groupBy(runs, (run) => run.id_project))
    await spend(triggerBudget(id_project), -own.length);
};

const withinLimits = async (runs: NewRun[]): Promise<NewRun[]> => {
  const byConversation = Map.groupBy(runs, ({ trigger, conversation }) => `${trigger} ${conversation}`);
  const allowed = (await Promise.all([...byConversation.values()].map(withinConversationLimit))).flat();
  const byProject = [...Map.groupBy(allowed, ({ id_project }) => id_project)];
  return (await Promise.all(byProject.map(([id_project, own]) => withinProjectBudget(id_project, own)))).flat();
};

/**
 * Starts the triggers of a batch of events. Idempotent: runs that an interrupted attempt has stored are neither stored
 * nor counted again. Projects without triggers for these events cause no query, because the triggers of a project are
 * cached.
 */
export const matchTriggers = async (events: OrderedEvent[]): Promise<void> => {
  if (!config.TRIGGER_ENABLED) return;
  const candidates = await findCandidates(events);
  if (!candidates.length) return;
  const changes = await findLoggedEvents(
    candidates.map(({ event }) => event.id),
    EVENT_FIELDS,
  );
  const started = await Promise.all(candidates.map((each) => startRuns(each, changes.get(each.event.id))));
  const runs = started.flat();
  if (!runs.length) return;
  const allowed = await withinLimits(runs);
  if (!allowed.length) return;
  const isStored = await insertEachMissing(TriggerRun, allowed);
  await refundRepeated(allowed.filter((_, index) => !isStored[index]));
  await wakeProjects(allowed.map(({ id_project }) => id_project));
};
