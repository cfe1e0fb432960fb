/**
 * The entry point of a child process that sends requests as fast as the server accepts them, from a separate IP
 * address, until it is told to stop or is killed.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A request of the attack. With `reads: false`, the response is not read and the socket stays open. */
export interface FloodRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
  reads?: false;
}

/** The attack: the requests are sent one after another, repeatedly, over several connections. */
export interface Flood {
  url: string;
  /** The local IP address of the attacker. */
  from: string;
  connections: number;
  requests: FloodRequest[];
}

const REFUSED_PAUSE_MS = 20;
/** The maximum number of open sockets whose responses are not read; the oldest is closed to make room. */
const UNREAD_SOCKETS = 100;

let counts: Record<string, number> = {};
const unread: (() => void)[] = [];
let stopFlood = async (): Promise<void> => undefined;

const sendUnread = ({ url, from }: Flood, { method, path, headers }: FloodRequest): void => {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  socket.pause();
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${fields.join('')}\r\n`);
  unread.push(() => socket.destroy());
  if (unread.length > UNREAD_SOCKETS) unread.shift()?.();
};

const send = async (flood: Flood, dispatcher: Agent, each: FloodRequest): Promise<number> => {
  if (each.reads === false) {
    sendUnread(flood, each);
    await sleep(REFUSED_PAUSE_MS);
    return 0;
  }
  const { method, path, headers, body } = each;
  const reply = await request(flood.url + path, { method, headers, body: body ?? null, dispatcher });
  await reply.body.dump();
  return reply.statusCode;
};

const run = (flood: Flood): void => {
  const dispatcher = new Agent({ connections: flood.connections, localAddress: flood.from });
  let next = 0;
  let isStopped = false;
  counts = {};
  const worker = async () => {
    while (!isStopped) {
      const each = flood.requests[next++ % flood.requests.length] as FloodRequest;
      const status = await send(flood, dispatcher, each).catch(() => -1);
      if (isStopped) return; // the call was aborted
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 429 || status === -1) await sleep(REFUSED_PAUSE_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: flood.connections }, worker));
  stopFlood = async () => {
    isStopped = true;
    await dispatcher.destroy();
    for (const close of unread.splice(0)) close();
    await workers;
  };
};

process.on('message', async (message: Flood | 'counts' | 'stop') => {
  if (message === 'stop') await stopFlood();
  if (typeof message === 'object') run(message);
  else process.send?.(counts);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
