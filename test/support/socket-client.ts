/** A WebSocket client. The frames that tests read are checked against the AsyncAPI document. */
import { WebSocket } from 'ws';
import { anApi, type Caller } from './api.ts';
import { type ReceivedFrame, theAsyncapiChecker } from './asyncapi.ts';
import { waitUntil } from './wait-until.ts';

/** Options of a socket. By default, the credentials are sent in a header. */
export interface SocketOptions {
  /** URL of the API; by default that of the suite. */
  url?: string;
  path?: string;
  /** A query string that contains the credentials; no `Authorization` header is sent with it. */
  query?: string;
  headers?: Record<string, string>;
  /**
   * Whether frames are checked against the AsyncAPI document, which describes only changes that the relay has logged.
   * True by default for the suite's API.
   */
  checkFrames?: boolean;
}

/** Opens a socket; resolves when it is open or refused (`status` other than 101). */
export const openSocket = async (caller: Caller | null, options: SocketOptions = {}) => {
  const { url, path = '/v3/ws', query, headers, checkFrames = !url } = options;
  const address = `${(url ?? (await anApi())).replace('http', 'ws')}${path}${query ? `?${query}` : ''}`;
  const authorization = query || !caller ? {} : { authorization: caller.authorization };
  const socket = new WebSocket(address, { headers: { ...authorization, ...headers } });
  const frames: ReceivedFrame[] = [];
  const client = {
    socket,
    frames,
    status: 0,
    body: '',
    /** The close code and reason; undefined while the socket is open. */
    closed: undefined as { code: number; reason: string } | undefined,
    send: (action: string, payload?: object) => socket.send(JSON.stringify({ action, payload })),
    /** Subscribes to a topic. Resolves with the topic's first frame: the topic's state or an error. */
    subscribe: async (topic: string): Promise<ReceivedFrame> => {
      client.send('subscribe', { topic });
      const isAnswer = ({ payload }: ReceivedFrame) => (payload.topic ?? topic) === topic;
      return client.next((frame) => ['publish', 'error'].includes(frame.action) && isAnswer(frame));
    },
    /** Subscribes to a topic after a cursor, so that its state is not sent again. */
    resume: (topic: string, after: string) => client.send('subscribe', { topic, after }),
    /** Waits for the first frame that matches, removes it from `frames` and returns it. */
    next: async (matches: (frame: ReceivedFrame) => boolean = () => true): Promise<ReceivedFrame> => {
      await waitUntil(() => frames.some(matches) || Boolean(client.closed && failOnClose(client.closed)));
      const [frame] = frames.splice(frames.findIndex(matches), 1) as [ReceivedFrame];
      if (checkFrames) (await theAsyncapiChecker()).checkFrame(frame);
      return frame;
    },
    /** Resolves when the API has handled every frame that this client has sent. */
    settle: async () => {
      client.send('me');
      await client.next(({ action }) => action === 'me');
    },
    ended: () => waitUntil(() => client.closed !== undefined),
  };
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => (client.closed = { code, reason: String(reason) }));
  socket.on('unexpected-response', (request, response) => {
    response.on('data', (bytes) => (client.body += String(bytes)));
    response.on('end', () => {
      client.status = response.statusCode ?? 0;
      request.destroy();
    });
  });
  socket.on('open', () => (client.status = 101));
  await waitUntil(() => client.status > 0);
  return client;
};

const failOnClose = ({ code, reason }: { code: number; reason: string }): never => {
  throw new Error(`the socket was closed: ${code} ${reason}`);
};

/** The event of a new message, as the changes log contains it. The id of the message contains its number `n`. */
export const aLoggedMessage = (id_project: string, n: number, text = `message ${n}`) => ({
  event: 'message.create',
  payload: { _id: `m${n}`, id_project, recipient: 'talk', text, request: { agents: [], participants: [] } },
});

export const numberOf = ({ payload }: ReceivedFrame): number => Number(String(payload.message?._id).slice(1));

export const isMessage = ({ payload }: ReceivedFrame): boolean => /^m\d/.test(String(payload?.message?._id));
