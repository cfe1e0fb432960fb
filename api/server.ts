/** The listening server and its clean end. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { boot } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { disconnectMongo } from '#shared/mongo.ts';
import { closeQueues, connectQueues } from '#shared/queue.ts';
import { createApp } from './app.ts';
import { closeLimiter, connectLimiter } from './http/rate-limit.ts';
import { closeReadiness } from './pages/readiness.ts';

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
const DRAIN_MS = 300;
const DEADLINE_MS = 10_000;

/** A running API. */
export interface Api {
  port: number;
  /** Finish what runs, then close everything. */
  close(): Promise<void>;
}

/** Tells each client, on its next answer, not to use its connection again. */
const farewell = (server: Server) => {
  const open = new Set<ServerResponse>();
  let leaving = false;
  const part = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_, response) => {
    if (leaving) return part(response);
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return () => {
    leaving = true;
    for (const response of open) part(response);
  };
};

/**
 * Requests on open connections are answered to the last (faults F11): for a moment the server goes on accepting,
 * so that a client is told to leave before its connection goes; then it waits for what runs, within a deadline.
 */
const drain = async (server: Server, sayFarewell: () => void): Promise<void> => {
  sayFarewell();
  await sleep(DRAIN_MS);
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_MS);
  const late = setTimeout(() => server.closeAllConnections(), DEADLINE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
};

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, config.HOST);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Boot, listen on `HOST`, and tell the port that was taken. */
export const startApi = async ({ port = config.PORT } = {}): Promise<Api> => {
  await boot();
  await Promise.all([connectLimiter(), connectQueues()]);
  const server = createServer(TIMEOUTS, createApp().callback());
  const sayFarewell = farewell(server);
  const close = async () => {
    await drain(server, sayFarewell);
    closeLimiter();
    closeReadiness();
    await closeQueues();
    await disconnectMongo();
  };
  return { port: await listen(server, port), close };
};
