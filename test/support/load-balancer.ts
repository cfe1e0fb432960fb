/**
 * A round-robin load balancer in front of several API processes. It sends calls to processes whose `/health/ready`
 * returns 200. It repeats a call only if a process refuses the connection, because in that case nothing has been sent.
 */
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenOnUnusedPort } from './unused-port.ts';
import { waitUntil } from './wait-until.ts';

const PROBE_INTERVAL_MS = 200;

interface Backend {
  port: number;
  agent: Agent;
  isReady: boolean;
  timer: NodeJS.Timeout;
}

const probe = ({ port }: Backend): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    }).on('error', () => resolve(false));
  });

const isRefused = (error: Error): boolean => 'code' in error && error.code === 'ECONNREFUSED';

const sendError = (response: ServerResponse, error: Error): void => {
  if (response.headersSent) response.destroy(error);
  else response.writeHead(502).end(`load balancer: ${String(error)}`);
};

const headOf = ({ method, url, rawHeaders }: IncomingMessage): string => {
  const lines = rawHeaders.flatMap((name, index) => (index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`]));
  return [`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n');
};

const joinSockets = (one: Socket, other: Socket): void => {
  one.on('error', () => other.destroy()).on('close', () => other.destroy());
  other.on('error', () => one.destroy()).on('close', () => one.destroy());
  one.pipe(other).pipe(one);
};

/** Sends a call to a backend once the connection is open. Calls `onRefused` if the backend refuses the connection. */
const forward = (
  call: { incoming: IncomingMessage; response: ServerResponse },
  { port, agent }: Backend,
  onRefused: () => void,
): void => {
  const { incoming, response } = call;
  const { method, url: path } = incoming;
  const headers = { ...incoming.headers, connection: 'keep-alive' };
  const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (reply) => {
    const replyHeaders = { ...reply.headers };
    delete replyHeaders.connection;
    response.writeHead(reply.statusCode ?? 502, replyHeaders);
    reply.on('error', (error) => response.destroy(error)).pipe(response);
  });
  sent.on('error', (error) => (isRefused(error) ? onRefused() : sendError(response, error)));
  sent.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => incoming.pipe(sent));
    else incoming.pipe(sent);
  });
  response.on('close', () => response.writableFinished || sent.destroy());
};

/** Starts the load balancer. `add` resolves when the process is ready. */
export const aLoadBalancer = async () => {
  const backends = new Map<string, Backend>();
  let calls = 0;
  /**
   * The next ready process. If none is ready, the next of all processes, because a delayed readiness check is no reason
   * to refuse calls.
   */
  const next = (): Backend => {
    const all = [...backends.values()];
    const ready = all.filter(({ isReady }) => isReady);
    const candidates = ready.length ? ready : all;
    return candidates[calls++ % candidates.length] as Backend;
  };
  const handle = (incoming: IncomingMessage, response: ServerResponse, attemptsLeft = 3): void => {
    const backend = next();
    forward({ incoming, response }, backend, () => {
      backend.isReady = false;
      if (attemptsLeft > 1) handle(incoming, response, attemptsLeft - 1);
      else sendError(response, new Error('three connections were refused'));
    });
  };
  const server = createServer({ keepAliveTimeout: 300_000 }, (incoming, response) => handle(incoming, response));
  server.on('upgrade', (incoming, client: Socket, head) => {
    const upstream = connect(next().port, '127.0.0.1', () => {
      upstream.write(headOf(incoming));
      upstream.write(head);
    });
    joinSockets(client, upstream);
  });
  const port = await listenOnUnusedPort(server);
  const remove = (url: string): void => {
    clearInterval(backends.get(url)?.timer);
    backends.delete(url);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    add: async (url: string): Promise<void> => {
      const backend: Backend = {
        port: Number(new URL(url).port),
        agent: new Agent({ keepAlive: true }),
        isReady: false,
        timer: setInterval(async () => (backend.isReady = await probe(backend)), PROBE_INTERVAL_MS),
      };
      backends.set(url, backend);
      await waitUntil(() => backend.isReady);
    },
    /** Sends no more calls to a process. Calls that were sent before continue. */
    remove,
    close: () => {
      for (const url of backends.keys()) remove(url);
      server.closeAllConnections();
      server.close();
    },
  };
};
