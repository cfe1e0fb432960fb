/** The menu of events → AsyncAPI 3, the description of what `/stream` and `/changes` tell. */
import { z } from 'zod';
import { type EventName, events, shapeOf, visitorViews } from '#shared/events.ts';
import { Time } from '#shared/view.ts';

type Json = Record<string, unknown>;

const ADDRESS = '/v3/{project_id}/stream';
const FOLLOW =
  'Server-sent events: `id` is the cursor, `event` the name, `data` the message. `GET /v3/{project_id}/changes` answers the same by page. ' +
  'Agents and above follow the whole project, a visitor its own conversations only.';

const names = Object.keys(events) as EventName[];

/** Names of a document's parts may hold no `*`. */
const keyOf = (name: string): string => name.replace(/\.\*$/, '');

const jsonSchemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7', unrepresentable: 'any' });
  return plain;
};

const ref = (path: string): { $ref: string } => ({ $ref: `#/${path}` });

/** A record's schema is named after the first event that tells of it. */
const schemaNames = (): Map<z.ZodObject, string> => {
  const found = new Map<z.ZodObject, string>();
  for (const name of names) {
    const { view } = shapeOf(name);
    const noun = name.replace(/\.[^.]+$/, '');
    const visitors = visitorViews.get(view);
    if (!found.has(view)) found.set(view, noun);
    if (visitors && !found.has(visitors)) found.set(visitors, `${noun}.visitor`);
  }
  return found;
};

const object = (properties: Json, required: string[] = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});

/** Under which name the record stands in the payload, and what stands beside it. */
const besideOf = (name: EventName): { under?: string; more?: z.ZodObject } => {
  const entry: object = events[name];
  return entry instanceof z.ZodObject ? {} : entry;
};

/** What teammates are told, and what the visitor is. */
const payloadOf = (name: EventName, schemas: Map<z.ZodObject, string>): Json => {
  const { view } = shapeOf(name);
  const { under, more } = besideOf(name);
  const visitors = visitorViews.get(view);
  const placed = (of: z.ZodObject, beside?: z.ZodObject): Json => {
    const record = ref(`components/schemas/${schemas.get(of)}`);
    if (!under) return record;
    const { properties = {}, required = [] } = beside ? jsonSchemaOf(beside) : {};
    return object({ ...(properties as Json), [under]: record }, [...(required as string[]), under]);
  };
  const whole = placed(view, more);
  return visitors ? { anyOf: [whole, placed(visitors)], description: 'Whole, or as the visitor sees it' } : whole;
};

const eventOf = (name: EventName): Json =>
  name.endsWith('.*')
    ? { type: 'string', pattern: `^${keyOf(name).replaceAll('.', '\\.')}\\.` }
    : { type: 'string', const: name };

const messageOf = (name: EventName, schemas: Map<z.ZodObject, string>): Json => ({
  name,
  contentType: 'application/json',
  payload: object({
    cursor: { type: 'string', description: 'Its place in the log; opaque' },
    id: { type: 'string', description: 'The same however often it is delivered' },
    event: eventOf(name),
    createdAt: jsonSchemaOf(Time),
    payload: payloadOf(name, schemas),
  }),
});

const GAP: Json = {
  name: 'gap',
  contentType: 'application/json',
  summary: 'Changes before `next` may be missing: list again and go on from there; the stream ends',
  payload: object({ next: { type: 'string' } }),
};

/** The whole document; `url`: where this server is reached. */
export const asyncapi = (url: string): Json => {
  const { host, protocol } = new URL(url);
  const schemas = schemaNames();
  const messages = { ...Object.fromEntries(names.map((name) => [keyOf(name), messageOf(name, schemas)])), gap: GAP };
  const keys = Object.keys(messages);
  const refs = (path: string) => keys.map((key) => [key, ref(`${path}/${key}`)] as const);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Support chat', version: '3', description: 'What happens in a project, in the order of commit' },
    defaultContentType: 'application/json',
    servers: { api: { host, protocol: protocol.slice(0, -1), security: [ref('components/securitySchemes/jwt')] } },
    channels: {
      stream: {
        address: ADDRESS,
        description: FOLLOW,
        parameters: { project_id: { description: 'The project; 24 hexadecimal digits' } },
        messages: Object.fromEntries(refs('components/messages')),
      },
    },
    operations: {
      follow: {
        action: 'send',
        channel: ref('channels/stream'),
        summary: 'Tell whoever follows a project what happens there',
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
