/** Builds entries of the changes log: the record's current view (its public fields) plus extra fields of the event. */
import type { z } from 'zod';
import { isTeamEvent, payloadShape } from '#shared/events.ts';
import type { DecodedEvent } from './decode-events.ts';
import { payloadReader, type ReadRecord, type RecordKey } from './payload-readers.ts';
import { metadataOfDeleted, type RecordMetadata, recordKey } from './record-metadata.ts';

/** An entry of the changes log. */
export interface ChangeEntry {
  _id: string;
  id_project: string;
  position: string;
  event: string;
  record?: string;
  revision?: number;
  payload?: object;
  visitor?: string;
  visitor_payload?: object;
  context?: object;
  actor?: object;
  createdAt: Date;
}

/** The payload of a deleted record whose last view is not in the `outbox` collection. */
const deletedRecord = (record: string): ReadRecord => ({ key: record, view: { _id: record, gone: true } });

const payloadOf = ({ registryName, extras }: DecodedEvent, view: object, extraFields: object = extras): object => {
  const { recordKey: property } = payloadShape(registryName);
  return property ? { ...extraFields, [property]: view } : view;
};

/** Returns the extra fields of an event for listeners; undefined if its payload contains them or there are none. */
const contextOf = ({ registryName, extras }: DecodedEvent): object | undefined =>
  payloadShape(registryName).recordKey || !Object.keys(extras).length ? undefined : extras;

const visitorFields = (
  event: DecodedEvent,
  { visitor, visitorView }: Pick<ReadRecord, 'visitor' | 'visitorView'>,
): Pick<ChangeEntry, 'visitor' | 'visitor_payload'> => ({
  visitor,
  // Visitors do not receive the extra fields, which may be internal.
  visitor_payload: visitorView && payloadOf(event, visitorView, {}),
});

const toEntry = (event: DecodedEvent, id_project: string, { view, ...own }: ReadRecord): ChangeEntry => ({
  _id: event.id,
  id_project,
  position: event.position,
  event: event.event,
  record: event.record,
  revision: event.revision,
  payload: payloadOf(event, view),
  ...(isTeamEvent(event.event) ? {} : visitorFields(event, own)),
  context: contextOf(event),
  actor: event.actor,
  createdAt: event.committedAt,
});

const viewOf = ({ registryName: entry }: DecodedEvent): z.ZodObject => payloadShape(entry).view;

const readRecords = async (view: z.ZodObject, events: DecodedEvent[]): Promise<Map<string, ReadRecord>> => {
  const reads = [...Map.groupBy(events, ({ model }) => model)].map(([model, modelEvents]) => {
    const keys = new Map<string, RecordKey>(modelEvents.map(({ key }) => [String(key), key]));
    return payloadReader(model, view)([...keys.values()]);
  });
  return new Map((await Promise.all(reads)).flat().map((record) => [String(record.key), record]));
};

/** Reads the records of events with one query per view and collection. */
const readRecordsByView = async (events: DecodedEvent[]): Promise<Map<z.ZodObject, Map<string, ReadRecord>>> => {
  const reads = [...Map.groupBy(events, viewOf)].map(
    async ([view, viewEvents]) => [view, await readRecords(view, viewEvents)] as const,
  );
  return new Map(await Promise.all(reads));
};

/** Builds the log entries of events. Reads each record once per view. */
export const buildEntries = async (
  events: DecodedEvent[],
  metadata: Map<string, RecordMetadata>,
): Promise<ChangeEntry[]> => {
  const recordsByView = await readRecordsByView(events.filter(({ view }) => !view));
  const recordOf = (event: DecodedEvent) => recordsByView.get(viewOf(event))?.get(String(event.key));
  const deleted = events.filter((event) => !event.view && !recordOf(event) && !metadata.get(recordKey(event))?.view);
  const lastViews = new Map(deleted.length ? await metadataOfDeleted(deleted) : []);
  return events.map((event) => {
    const recordMetadata = metadata.get(recordKey(event));
    const { key, record } = event;
    const lastView = event.view ?? recordMetadata?.view ?? lastViews.get(recordKey(event))?.view;
    const readRecord = recordOf(event) ?? (lastView ? { key, view: lastView } : deletedRecord(record));
    return toEntry(event, (event.id_project ?? recordMetadata?.id_project) as string, readRecord);
  });
};
