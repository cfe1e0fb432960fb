/** From changes to the log: decoded, read, appended, in slices that fit into memory whatever the size of the records. */
import { DeadEvent } from '#shared/models/dead-event.ts';
import { logger } from '#shared/logger.ts';
import { append } from './append.ts';
import { decode, type Told, type Untold } from './decode.ts';
import { type Head, headsOf, nameOf } from './heads.ts';
import { nudge } from './nudge.ts';
import { isOutage } from './outage.ts';
import { type Entry, entriesOf } from './payloads.ts';
import type { Change } from './stream.ts';

const SLICE_BYTES = 8_000_000;
const SLICE = 250;
const TEXT_KEPT = 10_000;

const buried = ({ text, ...each }: Untold) => {
  const dead = { by: 'relay', ...each, ...(text === undefined ? {} : { text: text.slice(0, TEXT_KEPT) }) };
  return { updateOne: { filter: { _id: `relay ${each.position}` }, update: { $setOnInsert: dead }, upsert: true } };
};

const bury = async (untold: Untold[]): Promise<void> => {
  const [{ text: _, ...first } = {}] = untold;
  if (!untold.length) return;
  logger.error({ count: untold.length, first }, 'events can not be told; see dead_events');
  await DeadEvent.bulkWrite(untold.map(buried), { ordered: false });
};

const slicesOf = function* (events: Told[], heads: Map<string, Head>): Generator<Told[]> {
  let [slice, bytes]: [Told[], number] = [[], 0];
  for (const told of events) {
    const more = heads.get(nameOf(told))?.bytes ?? 0;
    if (slice.length && (slice.length >= SLICE || bytes + more > SLICE_BYTES)) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(told);
    bytes += more;
  }
  if (slice.length) yield slice;
};

const untoldOf = ({ position, event, record, id_project }: Told, code: string, message: string): Untold => ({
  ...{ position, event, record, id_project },
  ...{ code, message },
});

/** The entries of a slice; where it can not be read as a whole, each event by itself. */
const read = async (slice: Told[], heads: Map<string, Head>): Promise<{ entries: Entry[]; untold: Untold[] }> => {
  try {
    return { entries: await entriesOf(slice, heads), untold: [] };
  } catch (error) {
    if (isOutage(error)) throw error;
    const [only] = slice;
    if (only && slice.length === 1)
      return { entries: [], untold: [untoldOf(only, 'NOT_READ', (error as Error).message)] };
    const singly = [];
    for (const each of slice) singly.push(await read([each], heads));
    return { entries: singly.flatMap(({ entries }) => entries), untold: singly.flatMap(({ untold }) => untold) };
  }
};

const isTold = (each: Told | Untold): each is Told => 'id' in each;

/** Relay these changes; how many milliseconds after its commit each event was in the log. */
export const relay = async (changes: Change[]): Promise<number[]> => {
  const decoded = changes.flatMap(decode);
  await bury(decoded.filter((each): each is Untold => !isTold(each)));
  const events = decoded.filter(isTold);
  const heads = await headsOf(events);
  const ownerOf = (told: Told) => told.id_project ?? heads.get(nameOf(told))?.id_project;
  const lost = events.filter((told) => !ownerOf(told));
  await bury(lost.map((told) => untoldOf(told, 'GONE', 'deleted, and nobody told whose it was')));
  const lags: number[] = [];
  for (const slice of slicesOf(events.filter(ownerOf), heads)) {
    const { entries, untold } = await read(slice, heads);
    await bury([...untold, ...(await append(entries))]);
    nudge(entries);
    const now = Date.now();
    lags.push(...entries.map(({ createdAt }) => now - createdAt.getTime()));
  }
  return lags;
};
