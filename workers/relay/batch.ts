/** From changes to the log: decoded, read, appended, in slices that fit into memory whatever the size of the records. */
import { mongo } from 'mongoose';
import { addBytes } from '#shared/project-bytes.ts';
import { append } from './append.ts';
import { bury } from './bury.ts';
import { decode, type Told, type Untold } from './decode.ts';
import { type Head, headsOf, nameOf } from './heads.ts';
import { nudge } from './nudge.ts';
import { isOutage } from './outage.ts';
import { entriesOf } from './payloads.ts';
import type { Change } from './stream.ts';

const SLICE_BYTES = 8_000_000;
const SLICE = 250;

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

const tell = async (events: Told[]): Promise<void> => {
  const heads = await headsOf(events);
  const ownerOf = (told: Told) => told.id_project ?? heads.get(nameOf(told))?.id_project;
  const lost = events.filter((told) => !ownerOf(told));
  await bury(lost.map((told) => untoldOf(told, 'GONE', 'deleted, and nobody told whose it was')));
  for (const slice of slicesOf(events.filter(ownerOf), heads)) {
    const entries = await entriesOf(slice, heads);
    await bury(await append(entries));
    for (const entry of entries) addBytes(entry.id_project, mongo.BSON.calculateObjectSize(entry));
    nudge(entries);
  }
};

/** Tell them all but those that can not be told, found by halving; what a first try has told already is dropped by its id. */
const tellMost = async (events: Told[]): Promise<void> => {
  try {
    await tell(events);
  } catch (error) {
    const [first] = events;
    if (isOutage(error) || !first) throw error;
    if (events.length === 1) return bury([untoldOf(first, 'NOT_READ', (error as Error).message)]);
    const half = Math.ceil(events.length / 2);
    await tellMost(events.slice(0, half));
    await tellMost(events.slice(half));
  }
};

const isTold = (each: Told | Untold): each is Told => 'id' in each;

/** Relay these changes; how many milliseconds after its commit each event was in the log, at the latest. */
export const relay = async (changes: Change[]): Promise<number[]> => {
  const decoded = changes.flatMap(decode);
  await bury(decoded.filter((each): each is Untold => !isTold(each)));
  const events = decoded.filter(isTold);
  if (events.length) await tellMost(events);
  const now = Date.now();
  return events.map(({ at }) => now - at.getTime());
};
