/**
 * Relays a batch of writes: decodes their events, reads the payloads and appends entries to the changes log. Limits the
 * number and size of the entries in memory by working in slices.
 */
import { type UndeliverableEvent, writeRelayDeadLetters } from '#shared/domain/events/dead-letters.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { appendEntries } from './append-entries.ts';
import type { CommittedWrite } from './change-stream.ts';
import { type DecodedEvent, decode } from './decode-events.ts';
import { buildEntries } from './payloads.ts';
import { loadMetadata, type RecordMetadata, recordKey } from './record-metadata.ts';
import { isTransientError } from './transient-errors.ts';
import { sendWakeUps } from './wake-ups.ts';

const MAX_BYTES_PER_SLICE = 8_000_000;
const MAX_EVENTS_PER_SLICE = 250;

const sliceBySize = function* (
  events: DecodedEvent[],
  metadata: Map<string, RecordMetadata>,
): Generator<DecodedEvent[]> {
  let [slice, bytes]: [DecodedEvent[], number] = [[], 0];
  for (const event of events) {
    const eventBytes = metadata.get(recordKey(event))?.bytes ?? 0;
    if (slice.length && (slice.length >= MAX_EVENTS_PER_SLICE || bytes + eventBytes > MAX_BYTES_PER_SLICE)) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(event);
    bytes += eventBytes;
  }
  if (slice.length) yield slice;
};

const undeliverableOf = (
  { position, event, record, id_project }: DecodedEvent,
  code: string,
  message: string,
): UndeliverableEvent => ({
  ...{ position, event, record, id_project },
  ...{ code, message },
});

const appendEvents = async (events: DecodedEvent[]): Promise<void> => {
  const metadata = await loadMetadata(events);
  const projectOf = (event: DecodedEvent) => event.id_project ?? metadata.get(recordKey(event))?.id_project;
  const withoutProject = events.filter((event) => !projectOf(event));
  await writeRelayDeadLetters(
    withoutProject.map((event) =>
      undeliverableOf(event, 'PROJECT_UNKNOWN', 'The record has been deleted, and its project is unknown'),
    ),
  );
  for (const slice of sliceBySize(events.filter(projectOf), metadata)) {
    const entries = await buildEntries(slice, metadata);
    await writeRelayDeadLetters(await appendEntries(entries));
    sendWakeUps(entries);
  }
};

/**
 * Appends events. If that fails, halves the batch until the events that cause the failure are isolated, and makes them
 * dead letters. Entries that an earlier attempt has appended are recognized by their ids and skipped.
 */
const appendByHalving = async (events: DecodedEvent[]): Promise<void> => {
  try {
    await appendEvents(events);
  } catch (error) {
    const [first] = events;
    if (isTransientError(error) || !first) throw error;
    if (events.length === 1)
      return writeRelayDeadLetters([undeliverableOf(first, 'PAYLOAD_UNREADABLE', (error as Error).message)]);
    const half = Math.ceil(events.length / 2);
    await appendByHalving(events.slice(0, half));
    await appendByHalving(events.slice(half));
  }
};

const isDecoded = (event: DecodedEvent | UndeliverableEvent): event is DecodedEvent => 'id' in event;

/** Relays a batch of writes. Returns the lag of each event from commit to append, in milliseconds. */
export const relayBatch = async (writes: CommittedWrite[]): Promise<number[]> => {
  const decoded = writes.flatMap(decode);
  await writeRelayDeadLetters(decoded.filter((event): event is UndeliverableEvent => !isDecoded(event)));
  const events = decoded.filter(isDecoded);
  if (events.length) await appendByHalving(events);
  const now = currentTimeMs();
  return events.map(({ committedAt }) => now - committedAt.getTime());
};
