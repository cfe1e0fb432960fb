/** The messages of `/stream` and `/changes`: one for each project event, and `gap` if changes may be missing. */
import { z } from 'zod';
import { type EventName, events, isInstanceEvent, isTeamEvent, payloadShape, visitorViews } from '#shared/events.ts';
import { Time } from '#shared/wire/view.ts';
import { type JsonObject, jsonSchemaOf, objectSchema, type SchemaComponents } from './json-schema.ts';

/** All events except those of accounts, which belong to no project. */
const eventNames = (Object.keys(events) as EventName[]).filter((name) => !isInstanceEvent(name));

/** Returns the key of a message: the name without `*`, which component names must not contain. */
const messageKey = (name: string): string => name.replace(/\.\*$/, '');

/** Names each record schema after the first event that carries the record: `request` for `request.create`. */
export const nameEventSchemas = (schemas: SchemaComponents): void => {
  for (const name of eventNames) {
    const { view } = payloadShape(name);
    const noun = name.replace(/\.[^.]+$/, '');
    const visitorView = visitorViews.get(view);
    schemas.add(view, noun);
    if (visitorView) schemas.add(visitorView, `${noun}.visitor`);
  }
};

/** Returns the payload key of the record, and the schema of the other fields; neither if the record is the payload. */
const payloadExtras = (name: EventName): { recordKey?: string; extras?: z.ZodObject } => {
  const entry: object = events[name];
  return entry instanceof z.ZodObject ? {} : entry;
};

/** Returns the payload schema of an event. It allows two forms if visitors receive fewer fields than teammates. */
const payloadOf = (name: EventName, schemas: SchemaComponents): JsonObject => {
  const { view } = payloadShape(name);
  const { recordKey, extras } = payloadExtras(name);
  const visitorView = isTeamEvent(name) ? undefined : visitorViews.get(view);
  const payloadSchema = (recordView: z.ZodObject, extrasSchema?: z.ZodObject): JsonObject => {
    const record = schemas.refTo(recordView);
    if (!recordKey) return record;
    const { properties = {}, required = [] } = extrasSchema ? jsonSchemaOf(extrasSchema) : {};
    return objectSchema({ ...(properties as JsonObject), [recordKey]: record }, [...(required as string[]), recordKey]);
  };
  const completePayload = payloadSchema(view, extras);
  return visitorView
    ? {
        anyOf: [completePayload, payloadSchema(visitorView)],
        description: 'The form that teammates receive, or the form that visitors receive',
      }
    : completePayload;
};

const eventNameSchema = (name: EventName): JsonObject =>
  name.endsWith('.*')
    ? { type: 'string', pattern: `^${messageKey(name).replaceAll('.', '\\.')}\\.` }
    : { type: 'string', const: name };

const messageOf = (name: EventName, schemas: SchemaComponents): JsonObject => ({
  name,
  contentType: 'application/json',
  payload: objectSchema({
    cursor: { type: 'string', description: 'Position in the changes log; opaque' },
    id: { type: 'string', description: 'Id of the event; the same on every delivery' },
    event: eventNameSchema(name),
    createdAt: jsonSchemaOf(Time),
    payload: payloadOf(name, schemas),
  }),
});

const GAP_MESSAGE: JsonObject = {
  name: 'gap',
  contentType: 'application/json',
  summary: 'Changes before `next` may be missing, and the stream ends. List the records again, then resume from `next`',
  payload: objectSchema({ next: { type: 'string' } }),
};

/** The messages of the stream, by key. */
export const eventMessages = (schemas: SchemaComponents): Record<string, JsonObject> => ({
  ...Object.fromEntries(eventNames.map((name) => [messageKey(name), messageOf(name, schemas)])),
  gap: GAP_MESSAGE,
});
