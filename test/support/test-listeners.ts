/** Events that are written directly to the changes log, without a relay, and listeners that handle them. */
import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { newId } from '#shared/context.ts';
import { collection, schemaOptions } from '#shared/database/collection.ts';
import { insertIfAbsent } from '#shared/database/unique-keys.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import type { EventRef } from '#shared/job-definitions.ts';
import { Change } from '#shared/models/change.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { DeferredEvent } from '#shared/models/deferred-event.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import type { RunnableListener } from '../../workers/listeners/handle-event.ts';
import { retryEvents } from '../../workers/listeners/retry-events.ts';

const schema = Schema.create(
  { id_project: { type: String, required: true }, listener: String, event: String, record: String },
  schemaOptions,
);
const ListenerEffect = collection('test_effects', schema);

/** The id of a project that does not exist. */
export const TEST_PROJECT = randomUUID();
/** The names of the events. */
export const TEST_EVENTS = ['test.open', 'test.close'] as const;
let appendedCount = 0;

/** A prefix of positions that sort after all entries of the log, including those of the relay. */
const endOfLog = async (): Promise<string> => {
  const anyProject = { anyProject: true };
  const last = await Change.findOne({}, { position: 1 }, anyProject).sort({ position: -1 }).lean();
  const seconds = Math.floor(Date.now() / 1000)
    .toString(16)
    .toUpperCase();
  return last?.position.replace(/(F\d{12})?\.\d+$/, '') ?? `82${seconds}`;
};

const positionAfter = (end: string): string => {
  appendedCount += 1;
  return `${end}F${String(appendedCount).padStart(12, '0')}.000`;
};

/**
 * Appends one event per record, in the given order, and returns the ids of the events. The last event has the current
 * time, with `perSecond` events in each second before it; by default, all events have the current time.
 */
export const appendEvents = async (
  records: string[],
  {
    name = 'test.open',
    payload = {},
    project = TEST_PROJECT,
    perSecond = Infinity,
  }: { name?: (typeof TEST_EVENTS)[number]; payload?: object; project?: string; perSecond?: number } = {},
): Promise<string[]> => {
  const end = await endOfLog();
  const ageOf = (index: number): number => (1000 * (records.length - 1 - index)) / perSecond;
  const entries = records.map((record, index) => ({
    ...{ _id: `test ${randomUUID()}`, id_project: project, event: name, record, payload },
    ...{ position: positionAfter(end), createdAt: new Date(Date.now() - ageOf(index)) },
  }));
  await Change.insertMany(entries);
  return entries.map(({ _id }) => _id);
};

/** A listener for both event names; it handles only events appended after this call, by default storing an effect. */
export const aListener = async (more: Partial<RunnableListener> = {}): Promise<RunnableListener> => {
  const name = `test.${randomUUID()}`;
  const listener: RunnableListener = {
    name,
    on: TEST_EVENTS,
    attempts: 3,
    handle: (ref) => recordEffect(name, ref),
    ...more,
  };
  await initCursors([listener]);
  return listener;
};

/** Stores the effect of an event once, even if the attempt is repeated, because a repetition generates the same id. */
export const recordEffect = async (listener: string, { id, id_project, record }: EventRef): Promise<void> => {
  const effect = { _id: newId(), id_project, listener, event: id, record };
  await insertIfAbsent(() => ListenerEffect.create([effect]));
};

/** Runs a listener until no event is new or deferred; a failing event keeps it running until the last attempt. */
export const handleAll = async (listener: RunnableListener, project = TEST_PROJECT): Promise<void> => {
  while (await consumeEvents(listener));
  while ((await retryEvents(listener, project)) !== null);
};

/** Ids of the events that a listener has handled, in the order of the effects. */
export const effectEvents = async ({ name }: { name: string }, project = TEST_PROJECT): Promise<string[]> => {
  const effects = await ListenerEffect.find({ id_project: project, listener: name }, { event: 1 })
    .sort({ createdAt: 1 })
    .lean();
  return effects.map(({ event }) => event ?? '');
};

/** Removes the events of TEST_PROJECT from the log. */
export const removeTestEvents = () => Change.deleteMany({ id_project: TEST_PROJECT });

/** The number of events that a listener has deferred to a later attempt. */
export const countDeferred = ({ name }: RunnableListener) => DeferredEvent.countDocuments({ listener: name });

/** The dead letters of a listener. */
export const deadLettersOf = ({ name }: RunnableListener) =>
  DeadLetter.find({ failedBy: name }, { code: 1, record: 1, _id: 0 }).lean();

/** Moves the deferred events of a listener `seconds` into the past. */
export const passTime = async ({ name }: RunnableListener, seconds: number) => {
  const earlier = (field: string) => ({ $subtract: [`$${field}`, seconds * 1000] });
  const $set = { dueAt: earlier('dueAt'), waitingSince: earlier('waitingSince') };
  await DeferredEvent.updateMany({ listener: name }, [{ $set }], { updatePipeline: true });
};
