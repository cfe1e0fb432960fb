/** The frames of sockets as AsyncAPI messages, from clients and from the server. */
import { z } from 'zod';
import { ClientFrame, serverFrames } from '../sockets/frames.ts';
import { topicViews, type TopicViews } from '../sockets/topic-views.ts';
import { type JsonObject, jsonSchemaOf, objectSchema, ref, type SchemaComponents } from './json-schema.ts';

const CLIENT_FRAMES: Record<string, string> = {
  subscribe: 'Subscribe to a topic; with `after`, receive only the changes after this cursor',
  unsubscribe: 'Unsubscribe from a topic',
  heartbeat: 'Ping the server, or answer its ping with `pong`',
  me: 'Request the ids of the connection and of the caller',
};

const message = (name: string, summary: string, payload: JsonObject): JsonObject => ({
  ...{ name, summary, contentType: 'application/json', payload },
});

const clientMessages = (): [string, JsonObject][] =>
  ClientFrame.options.map((frame) => {
    const action = frame.shape.action.value;
    return [`client.${action}`, message(action, CLIENT_FRAMES[action] as string, jsonSchemaOf(frame, 'input'))];
  });

/** Names the record schemas of frames, except those that event messages have already named. */
export const nameFrameSchemas = (schemas: SchemaComponents): void => {
  for (const [kind, { state, change }] of Object.entries(topicViews)) {
    for (const [forms, part] of [[state.forms, 'state'] as const, [change, 'change'] as const])
      for (const [index, view] of forms.entries()) schemas.add(view, `${kind}.${part}${index ? '.visitor' : ''}`);
  }
};

const anyOf = (schemas: JsonObject[]): JsonObject =>
  schemas.length === 1 ? (schemas[0] as JsonObject) : { anyOf: schemas };

const stateSchema = ({ isList, forms }: TopicViews['state'], schemas: SchemaComponents): JsonObject => {
  const records = forms.map((view) => schemas.refTo(view));
  if (!isList) return anyOf([...records, { type: 'null' }]);
  return { type: 'array', ...(records.length ? { items: anyOf(records) } : { maxItems: 0 }) };
};

/** Returns the pattern of a topic. Parameters must not contain a slash, except ids of conversations. */
const topicPattern = (key: string): string => {
  const path = key.replace(/\{request_id\}/, '.+').replace(/\{\w+\}/g, '[^/]+');
  return `^/[0-9a-f]{24}/${path}${key.startsWith('events') || key === 'changes' ? '(/.+)?' : ''}$`;
};

const publishMessage = ({ key, summary, state, change }: TopicViews, schemas: SchemaComponents): JsonObject => {
  const records = change.map((view) => schemas.refTo(view));
  const fields = {
    topic: { type: 'string', pattern: topicPattern(key), description: `\`/{project_id}/${key}\`` },
    method: { enum: ['CREATE', 'UPDATE'] },
    message: { anyOf: [stateSchema(state, schemas), ...records], description: 'The state of the topic, or a record' },
    cursor: { type: 'string', description: 'Position in the changes log; opaque' },
  };
  const payload = { action: { const: 'publish' }, payload: objectSchema(fields) };
  return message('publish', `\`/{project_id}/${key}\`: ${summary}`, objectSchema(payload));
};

const serverMessages = (schemas: SchemaComponents): [string, JsonObject][] => [
  ...Object.entries(topicViews).map(([kind, views]): [string, JsonObject] => [
    `publish.${kind}`,
    publishMessage(views, schemas),
  ]),
  ...Object.entries(serverFrames).map(([action, frame]): [string, JsonObject] => [
    `server.${action}`,
    message(action, z.globalRegistry.get(frame)?.description ?? '', jsonSchemaOf(frame)),
  ]),
];

/** The messages of both directions, by key. */
export const socketMessages = (
  schemas: SchemaComponents,
): { client: Record<string, JsonObject>; server: Record<string, JsonObject> } => ({
  client: Object.fromEntries(clientMessages()),
  server: Object.fromEntries(serverMessages(schemas)),
});

/** Returns the WebSocket handshake as AsyncAPI channel bindings. */
export const socketBindings = (query: z.ZodObject): JsonObject => ({
  ws: { method: 'GET', query: jsonSchemaOf(query, 'input'), bindingVersion: '0.1.0' },
});

/** Returns references to messages of a channel. */
export const channelRefs = (channel: string, keys: string[]) =>
  keys.map((key) => ref(`channels/${channel}/messages/${key}`));
