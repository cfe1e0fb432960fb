/** Generates the AsyncAPI 3 document from the registry of events and the frames of sockets. */
import { SocketQuery } from '../sockets/endpoints.ts';
import { eventMessages, nameEventSchemas } from './event-messages.ts';
import { type JsonObject, ref, SchemaComponents } from './json-schema.ts';
import { channelRefs, nameFrameSchemas, socketBindings, socketMessages } from './socket-messages.ts';

const STREAM_DESCRIPTION =
  'Server-sent events: `id` is the cursor, `event` the name, and `data` the message. ' +
  '`GET /v3/{project_id}/changes` returns the same messages in pages. ' +
  'Agents and higher roles receive the events of the whole project, and visitors those of their own conversations.';

const SOCKET_DESCRIPTION =
  'A WebSocket whose client subscribes to topics of one or several projects. Every frame is a JSON object ' +
  '`{action, payload}`. A client that reconnects subscribes to each topic with the cursor of its last frame.';

const componentRefs = (keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, ref(`components/messages/${key}`)]));

const serversOf = (url: string) => {
  const { host, protocol } = new URL(url);
  const security = [ref('components/securitySchemes/jwt')];
  return {
    api: { host, protocol: protocol.slice(0, -1), security },
    sockets: { host, protocol: protocol.slice(0, -1).replace('http', 'ws'), security },
  };
};

const channelsOf = (eventKeys: string[], frameKeys: string[]) => ({
  stream: {
    address: '/v3/{project_id}/stream',
    servers: [ref('servers/api')],
    description: STREAM_DESCRIPTION,
    parameters: { project_id: { description: 'Id of the project; 24 hexadecimal digits' } },
    messages: componentRefs(eventKeys),
  },
  socket: {
    address: '/v3/ws',
    servers: [ref('servers/sockets')],
    description: SOCKET_DESCRIPTION,
    messages: componentRefs(frameKeys),
    bindings: socketBindings(SocketQuery),
  },
});

/** Describes what the server sends to its clients (summary in `send`) or receives from them (summary in `receive`). */
const operation = (channel: string, keys: string[], { send, receive }: { send?: string; receive?: string }) => ({
  action: send ? 'send' : 'receive',
  channel: ref(`channels/${channel}`),
  summary: send ?? receive,
  messages: channelRefs(channel, keys),
});

/** Generates the AsyncAPI document; `url` is the base URL of this server. */
export const generateAsyncapi = (url: string): JsonObject => {
  const schemas = new SchemaComponents();
  nameEventSchemas(schemas);
  nameFrameSchemas(schemas);
  const events = eventMessages(schemas);
  const { client, server } = socketMessages(schemas);
  const [eventKeys, clientKeys, serverKeys] = [events, client, server].map((each) => Object.keys(each)) as [
    string[],
    string[],
    string[],
  ];
  return {
    asyncapi: '3.1.0',
    info: { title: 'Support chat', version: '3', description: 'The events of projects, in commit order' },
    defaultContentType: 'application/json',
    servers: serversOf(url),
    channels: channelsOf(eventKeys, [...clientKeys, ...serverKeys]),
    operations: {
      follow: operation('stream', eventKeys, { send: 'Send the events of a project to the clients of its stream' }),
      sendFrames: operation('socket', serverKeys, { send: 'Send the states and changes of topics to a client' }),
      receiveFrames: operation('socket', clientKeys, { receive: 'Receive the frames of a client' }),
    },
    components: {
      messages: { ...events, ...client, ...server },
      schemas: schemas.toJson(),
      securitySchemes: {
        jwt: { type: 'httpApiKey', in: 'header', name: 'Authorization', description: '`JWT <token>`, or Basic' },
      },
    },
  };
};
