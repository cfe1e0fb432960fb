/**
 * Jobs on events: each is a cursor over the changes log (design 3). A job on the queue only nudges it, so a flushed Redis loses nothing,
 * and replay is setting the cursor back.
 */
import { AppError, notFound } from '../../errors.ts';
import { type EventRef, jobs } from '../../jobs.ts';
import { Change } from '../../models/change.ts';
import { Listener } from '../../models/listener.ts';
import { enqueue } from '../../queue.ts';

const PAGE = 100;
/** Before the first event. */
const BEGINNING = '0';

/** Who hears which events. */
export interface Hearer {
  name: string;
  on: readonly string[];
  attempts: number;
}

/** An event in the line of the events that are heard one after the other: those of its conversation, or else of its record. */
export interface InLine extends EventRef {
  line: string;
}

/** The listeners of the menu of jobs. */
export const hearers: readonly Hearer[] = Object.entries(jobs).flatMap(([name, job]) =>
  'on' in job ? [{ name, ...(job as Omit<Hearer, 'name'>) }] : [],
);

/** `event.emit.*` of the menu stands for every name that begins so. */
const named = (name: string) =>
  name.endsWith('*') ? new RegExp(`^${name.slice(0, -1).replaceAll('.', '\\.')}`) : name;
const hears = ({ on }: Hearer, event: string): boolean =>
  on.some((name) => (name.endsWith('*') ? event.startsWith(name.slice(0, -1)) : name === event));

const after = ({ on }: Hearer, cursor: string) => ({ event: { $in: on.map(named) }, position: { $gt: cursor } });

const present = async (): Promise<string> =>
  (await Change.findOne({}, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean())?.position ??
  BEGINNING;

/** Let listeners that are new begin at the present: what happened before them is theirs by replay alone. Called at every start of a worker. */
export const begin = async (all = hearers): Promise<void> => {
  const cursor = await present();
  for (const { name } of all) await Listener.updateOne({ _id: name }, { $setOnInsert: { cursor } }, { upsert: true });
};

/** How far a listener has come; one that never began stands at the present. */
export const cursorOf = async (name: string): Promise<string> =>
  (await Listener.findById(name, { cursor: 1 }).lean())?.cursor ?? present();

const FIELDS = {
  ...{ id_project: 1, event: 1, record: 1, position: 1 },
  ...{ 'payload.request_id': 1, 'payload.request.request_id': 1 },
} as const;

/** As much of an entry of the log as a listener is told; the payload names the conversation, if there is one. */
type Entry = Omit<EventRef, 'id' | 'record'> & {
  _id: string;
  record?: string;
  payload?: { request_id?: string; request?: { request_id?: string } };
};

const inLine = ({ _id, payload, ...entry }: Entry): InLine => {
  const { id_project, event, record = id_project, position } = entry;
  const conversation = payload?.request_id ?? payload?.request?.request_id;
  return {
    id_project,
    event,
    id: _id,
    record,
    position,
    line: conversation ? `${id_project} ${conversation}` : record,
  };
};

/**
 * The next events after `cursor`, in their order. None later than the log's end as it was before: a read that merges several names may
 * pass the place of an event of the one name just before it is written, and then meet a later one of the other.
 */
export const next = async (hearer: Hearer, cursor: string): Promise<InLine[]> => {
  const { event, position } = after(hearer, cursor);
  const filter = { event, position: { ...position, $lte: await present() } };
  const page = Change.find(filter, FIELDS, { anyProject: true }).sort({ position: 1 }).limit(PAGE);
  return (await page.lean<Entry[]>()).map(inLine);
};

/** Go on to `to`, unless the cursor was moved meanwhile, by a replay or by another pump. */
export const advance = async (name: string, { from, to }: { from: string; to: string }): Promise<void> => {
  await Listener.updateOne({ _id: name, cursor: from }, { $set: { cursor: to } });
};

/** How many events wait for a listener, counted no further than `most`. */
export const lag = async (hearer: Hearer, most = 100_000): Promise<number> =>
  Change.countDocuments(after(hearer, await cursorOf(hearer.name)), { anyProject: true }).limit(most);

/** Wake a listener; a nudge that is lost costs it the time to the next sweep. */
export const wake = ({ name }: Hearer): Promise<void> => enqueue('events.pump-listener', { listener: name });

/** Wake the listeners of these events. */
export const nudge = async (events: Iterable<string>): Promise<void> => {
  const names = [...events];
  for (const hearer of hearers) if (names.some((name) => hears(hearer, name))) await wake(hearer);
};

/** The listener of this name; 404 when the menu has none. */
export const hearerOf = (name: string): Hearer => {
  const found = hearers.find((hearer) => hearer.name === name);
  if (!found) throw notFound(`No listener ${name}; there are: ${hearers.map((each) => each.name).join(', ')}`);
  return found;
};

/** Let a listener hear everything after a cursor again (`0`: all that is kept); what it did is keyed by the event, so nothing is done twice. */
export const replay = async ({ name }: Hearer, cursor: string): Promise<void> => {
  if (cursor > (await cursorOf(name)))
    throw new AppError(422, 'NOT_YET_HEARD', `${name} has not come as far as ${cursor}; a replay goes back`);
  await Listener.updateOne({ _id: name }, { $set: { cursor } }, { upsert: true });
};
