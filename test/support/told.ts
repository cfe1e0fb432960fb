/** Events told straight into the changes log, by nobody's relay, and listeners of the test's own that hear them. */
import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { newId } from '#shared/context.ts';
import { begin } from '#shared/domain/events/listeners.ts';
import type { EventRef } from '#shared/jobs.ts';
import { Change } from '#shared/models/change.ts';
import { collection, kept, makeOnce } from '#shared/mongo.ts';
import type { Listening } from '../../workers/steps/hear.ts';

const schema = Schema.create(
  { id_project: { type: String, required: true }, listener: String, event: String, record: String },
  kept,
);
/** What a listener of the test did. */
const Effect = collection('test_effects', schema);

/** Some project; nothing of it exists. */
export const PROJECT = randomUUID();
/** What they tell of. */
export const NAMES = ['test.open', 'test.close'] as const;
let told = 0;

/** Where the log ends: what is told comes after all that is there, the relay's own included. */
const endOfLog = async (): Promise<string> => {
  const anyProject = { anyProject: true };
  const last = await Change.findOne({}, { position: 1 }, anyProject).sort({ position: -1 }).lean();
  const seconds = Math.floor(Date.now() / 1000)
    .toString(16)
    .toUpperCase();
  return last?.position.replace(/(F\d{12})?\.\d+$/, '') ?? `82${seconds}`;
};

const positionAfter = (end: string): string => {
  told += 1;
  return `${end}F${String(told).padStart(12, '0')}.000`;
};

/** Tell of these records, in this order; the events' ids. */
export const tell = async (
  records: string[],
  {
    name = 'test.open',
    payload = {},
    project = PROJECT,
  }: { name?: (typeof NAMES)[number]; payload?: object; project?: string } = {},
): Promise<string[]> => {
  const end = await endOfLog();
  const entries = records.map((record) => ({
    ...{ _id: `test ${randomUUID()}`, id_project: project, event: name, record, payload },
    ...{ position: positionAfter(end), createdAt: new Date() },
  }));
  await Change.insertMany(entries);
  return entries.map(({ _id }) => _id);
};

/** A listener of both names that begins now; by default it leaves an effect. */
export const aListener = async (more: Partial<Listening> = {}): Promise<Listening> => {
  const name = `test.${randomUUID()}`;
  const listener: Listening = { name, on: NAMES, attempts: 3, work: (ref) => leaveEffect(name, ref), ...more };
  await begin([listener]);
  return listener;
};

/** What a listener is meant to do: make a record that a second try meets. */
export const leaveEffect = async (listener: string, { id, id_project, record }: EventRef): Promise<void> => {
  const effect = { _id: newId(), id_project, listener, event: id, record };
  await makeOnce(() => Effect.create([effect]));
};

/** Ids of the events that a listener left effects of, in the order of the log. */
export const effectsOf = async ({ name }: { name: string }, project = PROJECT): Promise<string[]> => {
  const effects = await Effect.find({ id_project: project, listener: name }, { event: 1 })
    .sort({ createdAt: 1 })
    .lean();
  return effects.map(({ event }) => event ?? '');
};

/** Take it all out of the log again. */
export const untell = () => Change.deleteMany({ id_project: PROJECT });
