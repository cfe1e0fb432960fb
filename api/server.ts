/** The listening server and its clean end. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { boot } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { endFollowing } from '#shared/domain/events/tails.ts';
import { disconnectMongo } from '#shared/mongo.ts';
import { closeQueues, connectQueues } from '#shared/queue.ts';
import { createApp } from './app.ts';
import { followAccess } from './http/access-cache.ts';
import { closeLimiter, connectLimiter } from './http/rate-limit.ts';
import { abortStuck } from './http/stuck.ts';
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

/**
 * Requests on open connections are answered to the last (faults F11): for a moment the server goes on accepting,
 * so that a client is told to leave before its connection goes; then it waits for what runs, within a deadline.
 * Streams, which would run for ever, end: their clients go on elsewhere from their cursor.
 */
const drain = async (server: Server, app: ReturnType<typeof createApp>): Promise<void> => {
  app.context.leaving = true;
  await sleep(DRAIN_MS);
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => {
    server.closeIdleConnections();
    endFollowing();
  }, DRAIN_MS);
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
  const unfollow = await followAccess();
  const app = createApp();
  const server = createServer(TIMEOUTS, app.callback());
  const endWatch = abortStuck(server, config.RESPONSE_TIMEOUT * 1000);
  const close = async () => {
    await drain(server, app);
    endWatch();
    unfollow();
    closeLimiter();
    closeReadiness();
    await closeQueues();
    await disconnectMongo();
  };
  return { port: await listen(server, port), close };
};
