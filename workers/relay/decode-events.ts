/** Decodes the events of a write from its `_events` string. */
import mongoose from 'mongoose';
import { decodeTime } from 'ulid';
import { z } from 'zod';
import type { UndeliverableEvent } from '#shared/domain/events/dead-letters.ts';
import { type EventName, isInstanceEvent, registeredEvent } from '#shared/events.ts';
import { INSTANCE } from '#shared/models/change.ts';
import type { CommittedWrite } from './change-stream.ts';
import type { RecordKey } from './payload-readers.ts';

/** Maximum time from the creation of an event's ULID to the commit of its write; see `isStale` for older ULIDs. */
const MAX_WRITE_DELAY_MS = 3_600_000;
const Emission = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.record(z.string(), z.unknown())])]);
const EventActor = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string().optional(),
  depth: z.number().optional(),
  trace: z.string().optional(),
});
const EventsText = z.tuple([z.ulid(), z.string().nullable()]).rest(z.union([Emission, EventActor]));
type EventActor = z.output<typeof EventActor>;
type Emission = z.output<typeof Emission>;

/** An event whose payload has not been read yet. */
export interface DecodedEvent {
  /** The id of the event. It is the same each time the write is decoded. */
  id: string;
  position: string;
  event: string;
  /** The name in the event registry; for a custom event, the pattern of its name. */
  registryName: EventName;
  extras: Record<string, unknown>;
  model: string;
  key: RecordKey;
  record: string;
  id_project?: string;
  revision?: number;
  /** The size of the record, if the write inserted or replaced it. */
  bytes?: number;
  committedAt: Date;
  /** The actor of the call; absent for changes made by the system. */
  actor?: EventActor;
  /** The last view of a deleted record (the record as events contained it), from the `outbox` collection. */
  view?: object;
}

/** The position of an event in commit order. Positions sort lexicographically. */
export const positionOf = (token: string, index: number): string => `${token}.${String(index).padStart(3, '0')}`;

const parseEventsText = (text: unknown): z.output<typeof EventsText> | undefined => {
  try {
    return EventsText.parse(JSON.parse(text as string));
  } catch {
    return undefined; // invalid
  }
};

/**
 * Whether a write replaced the record without emitting events. Its `_events` is then a copy from an earlier write,
 * whose ULID is over an hour older than the commit.
 */
const isStale = ({ kind, committedAt }: CommittedWrite, id: string) =>
  kind === 'replace' && decodeTime(id) < committedAt.getTime() - MAX_WRITE_DELAY_MS;

const isEmission = (part: Emission | EventActor): part is Emission => Array.isArray(part);

const eventDecoder = (write: CommittedWrite, [ulid, fallbackProjectId, ...parts]: z.output<typeof EventsText>) => {
  const { model, record: key, revision, committedAt, outboxRecord } = write;
  const ownProjectId = write.id_project ?? fallbackProjectId ?? undefined;
  const record = outboxRecord?.record ?? String(key);
  const actor = parts.find((part): part is EventActor => !isEmission(part));
  return ([event, extras = {}]: Emission, index: number): DecodedEvent | UndeliverableEvent => {
    const id_project = isInstanceEvent(event) ? INSTANCE : ownProjectId;
    const eventFields = { position: positionOf(write._id._data, index), event, record, id_project };
    const registryName = registeredEvent(event);
    if (!registryName || !mongoose.models[model])
      return { ...eventFields, code: 'UNKNOWN_EVENT', message: `Unknown event ${event} of ${model}` };
    const id = `${ulid}-${record}-${index}`;
    return {
      ...eventFields,
      id,
      registryName,
      extras,
      model,
      key,
      revision,
      bytes: write.bytes ?? undefined,
      committedAt,
      actor,
      view: outboxRecord?.view,
    };
  };
};

/** Decodes the events of a write, in order. Returns an `UndeliverableEvent` for each event that cannot be decoded. */
export const decode = (write: CommittedWrite): (DecodedEvent | UndeliverableEvent)[] => {
  const text = parseEventsText(write.text);
  if (!text) {
    const [position, record] = [positionOf(write._id._data, 0), String(write.record)];
    const reason = { code: 'EVENTS_UNDECODABLE', message: `_events of ${write.model} is not a valid events string` };
    return [{ ...reason, position, record, id_project: write.id_project, text: JSON.stringify(write.text) }];
  }
  const [ulid, , ...parts] = text;
  return isStale(write, ulid) ? [] : parts.filter(isEmission).map(eventDecoder(write, text));
};
