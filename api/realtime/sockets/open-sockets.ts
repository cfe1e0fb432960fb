/** Keeps the open sockets of this process, pings them, and closes them when the process stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Actor } from '../../http/auth/authenticate.ts';
import type { CallerAccess } from '../../http/endpoint.ts';
import { countClosed, countOpened } from './presence.ts';
import { SocketSession } from './socket-session.ts';

const PING_INTERVAL_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2000;

const sessions = new Set<SocketSession>();
/** Writes in progress that record who has open sockets (`presence.ts`). `closeSockets` waits for them. */
const writes = new Set<Promise<void>>();

const complete = async (write: Promise<void>): Promise<void> => {
  writes.add(write);
  await write;
  writes.delete(write);
};

/** Serves a socket until it is closed. Each socket has its own ping timer, so that pings are spread over time. */
export const serveSocket = (socket: WebSocket, actor: Actor, access: CallerAccess): void => {
  const session = new SocketSession(socket, actor, access);
  sessions.add(session);
  void complete(countOpened(actor));
  const pingTimer = setInterval(() => void session.ping(), PING_INTERVAL_MS);
  socket.once('close', () => {
    clearInterval(pingTimer);
    sessions.delete(session);
    void complete(countClosed(actor));
  });
};

/** Closes all sockets; their clients reconnect to another process. Terminates those still open after two seconds. */
export const closeSockets = async (): Promise<void> => {
  for (const session of sessions) session.stop();
  for (let waitedMs = 0; sessions.size && waitedMs < CLOSE_TIMEOUT_MS; waitedMs += 50) await sleep(50);
  for (const session of sessions) session.terminate();
  await Promise.all(writes);
};
