/** Generates the AsyncAPI 3 document from the registry of events: the messages of `/stream` and `/changes`. */
import { z } from 'zod';
import { type EventName, events, payloadShape, visitorViews } from '#shared/events.ts';
import { Time } from '#shared/wire/view.ts';

type JsonObject = Record<string, unknown>;

const STREAM_ADDRESS = '/v3/{project_id}/stream';
const STREAM_DESCRIPTION =
  'Server-sent events: `id` is the cursor, `event` the name, `data` the message. ' +
  '`GET /v3/{project_id}/changes` returns the same messages in pages. ' +
  'Agents and higher roles receive the events of the whole project, visitors those of their own conversations.';

const eventNames = Object.keys(events) as EventName[];

/** The key of a message; component names must not contain `*`. */
const messageKey = (name: string): string => name.replace(/\.\*$/, '');

const jsonSchemaOf = (schema: z.ZodType): JsonObject => {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7', unrepresentable: 'any' });
  return plain;
};

const ref = (path: string): { $ref: string } => ({ $ref: `#/${path}` });

/** Maps each record schema to its name: the noun of the first event that carries the record. */
const schemaNames = (): Map<z.ZodObject, string> => {
  const names = new Map<z.ZodObject, string>();
  for (const name of eventNames) {
    const { view } = payloadShape(name);
    const noun = name.replace(/\.[^.]+$/, '');
    const visitorView = visitorViews.get(view);
    if (!names.has(view)) names.set(view, noun);
    if (visitorView && !names.has(visitorView)) names.set(visitorView, `${noun}.visitor`);
  }
  return names;
};

const objectSchema = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});

/** Returns the payload key that holds the record, and the schema of the other payload fields. */
const payloadExtras = (name: EventName): { recordKey?: string; extras?: z.ZodObject } => {
  const entry: object = events[name];
  return entry instanceof z.ZodObject ? {} : entry;
};

/** Returns the payload schema of an event, or both schemas if visitors receive fewer fields than teammates. */
const payloadOf = (name: EventName, schemas: Map<z.ZodObject, string>): JsonObject => {
  const { view } = payloadShape(name);
  const { recordKey, extras } = payloadExtras(name);
  const visitorView = visitorViews.get(view);
  const payloadSchema = (recordView: z.ZodObject, extrasSchema?: z.ZodObject): JsonObject => {
    const record = ref(`components/schemas/${schemas.get(recordView)}`);
    if (!recordKey) return record;
    const { properties = {}, required = [] } = extrasSchema ? jsonSchemaOf(extrasSchema) : {};
    return objectSchema({ ...(properties as JsonObject), [recordKey]: record }, [...(required as string[]), recordKey]);
  };
  const completePayload = payloadSchema(view, extras);
  return visitorView
    ? {
        anyOf: [completePayload, payloadSchema(visitorView)],
        description: 'The form that teammates receive, or the form that the visitor receives',
      }
    : completePayload;
};

const eventNameSchema = (name: EventName): JsonObject =>
  name.endsWith('.*')
    ? { type: 'string', pattern: `^${messageKey(name).replaceAll('.', '\\.')}\\.` }
    : { type: 'string', const: name };

const messageOf = (name: EventName, schemas: Map<z.ZodObject, string>): JsonObject => ({
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
  summary: 'Changes before `next` may be missing: list the records again, then resume from `next`. The stream ends',
  payload: objectSchema({ next: { type: 'string' } }),
};

/** Generates the AsyncAPI document; `url` is the base URL of this server. */
export const generateAsyncapi = (url: string): JsonObject => {
  const { host, protocol } = new URL(url);
  const schemas = schemaNames();
  const messages = {
    ...Object.fromEntries(eventNames.map((name) => [messageKey(name), messageOf(name, schemas)])),
    gap: GAP_MESSAGE,
  };
  const keys = Object.keys(messages);
  const refs = (path: string) => keys.map((key) => [key, ref(`${path}/${key}`)] as const);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Support chat', version: '3', description: 'The events of a project, in commit order' },
    defaultContentType: 'application/json',
    servers: { api: { host, protocol: protocol.slice(0, -1), security: [ref('components/securitySchemes/jwt')] } },
    channels: {
      stream: {
        address: STREAM_ADDRESS,
        description: STREAM_DESCRIPTION,
        parameters: { project_id: { description: 'Id of the project; 24 hexadecimal digits' } },
        messages: Object.fromEntries(refs('components/messages')),
      },
    },
    operations: {
      follow: {
        action: 'send',
        channel: ref('channels/stream'),
        summary: 'Send the events of a project to the clients that read its stream',
        messages: refs('channels/stream/messages').map(([, message]) => message),
      },
    },
    components: {
      messages,
      schemas: Object.fromEntries([...schemas].map(([view, name]) => [name, jsonSchemaOf(view)])),
      securitySchemes: {
        jwt: { type: 'httpApiKey', in: 'header', name: 'Authorization', description: '`JWT <token>`, or Basic' },
      },
    },
  };
};
