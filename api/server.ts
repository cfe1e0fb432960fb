/** Starts the HTTP server and shuts it down gracefully. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { disconnectMongo } from '#shared/database/connection.ts';
import { closeAllFeeds } from '#shared/domain/events/feed-registry.ts';
import { startHeartbeat } from '#shared/domain/operations/heartbeats.ts';
import { boot } from '#shared/process/boot.ts';
import { watchControls } from '#shared/process/controls.ts';
import { nodeHttp } from '#shared/load-package.ts';
import { closeQueues, connectQueues } from '#shared/queue/queue.ts';
import { flushSpans } from '#shared/tracing.ts';
import { createApp } from './app.ts';
import { watchAccessChanges } from '#shared/domain/access/access-changes.ts';
import { closeTickets, connectTickets } from './http/auth/stream-tickets.ts';
import { closeLimiter, connectLimiter } from './http/limits/rate-limit.ts';
import { abortStalledResponses } from './http/limits/stalled-responses.ts';
import { refuseWhenOverloaded } from './http/middleware.ts';
import { isSocketHandshake, serveUpgrades } from './http/socket-upgrades.ts';
import { closeReadiness, turnReadinessOff } from './pages/readiness.ts';
import { closeSockets } from './realtime/sockets/open-sockets.ts';

/** Leaves time for uploads. Other request bodies have a shorter timeout (`http/request/input.ts`). */
const REQUEST_TIMEOUT_MS = Math.max(60_000, config.UPLOAD_TIMEOUT_SECONDS * 1000 + 10_000);
/** At each check, Node closes the connections that have exceeded a timeout; by default, it checks only every 30 s. */
const SERVER_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
};
const CLOSE_IDLE_INTERVAL_MS = 300;
const DRAIN_TIMEOUT_MS = 10_000;

/** A running API. */
export interface RunningApi {
  port: number;
  /** Completes the running requests, then closes all connections. */
  close(): Promise<void>;
}

/**
 * Waits until the event loop has read what the sockets have received. A connection with a request that was received but
 * not read still counts as idle, and closing it would drop that request.
 */
const afterPendingReads = (): Promise<void> => setImmediate();

/**
 * Shuts the server down without dropping a request that ends within DRAIN_TIMEOUT_MS. For STOP_DELAY_SECONDS the server
 * still accepts requests and answers with `Connection: close`, while `/health/ready` returns 503. Then it stops
 * listening and waits at most DRAIN_TIMEOUT_MS for running requests. It closes sockets and event streams, whose clients
 * reconnect to another process and resume at their cursor.
 */
const drain = async (server: Server, app: ReturnType<typeof createApp>): Promise<void> => {
  app.context.isShuttingDown = true;
  turnReadinessOff();
  await sleep(config.STOP_DELAY_SECONDS * 1000);
  const closed = once(server, 'close');
  await afterPendingReads();
  server.close();
  await closeSockets();
  const closeIdle = async (): Promise<void> => {
    await afterPendingReads();
    server.closeIdleConnections();
    closeAllFeeds();
  };
  const closeIdleTimer = setInterval(closeIdle, CLOSE_IDLE_INTERVAL_MS);
  const forceCloseTimer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await closed;
  clearInterval(closeIdleTimer);
  clearTimeout(forceCloseTimer);
};

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, config.HOST);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Boots the process and listens on `HOST`. Returns the port in use and a function that shuts the API down. */
export const startApi = async ({ port = config.PORT } = {}): Promise<RunningApi> => {
  const booted = boot();
  const app = createApp(); // created while `boot` waits for MongoDB and Redis
  const handleRequest = refuseWhenOverloaded(app.callback());
  await booted;
  const [stopWatchingAccess, stopWatchingControls] = await Promise.all([
    watchAccessChanges(),
    watchControls(),
    ...[connectLimiter(), connectQueues(), connectTickets()],
  ]);
  const server = nodeHttp.createServer({ ...SERVER_TIMEOUTS, shouldUpgradeCallback: isSocketHandshake }, handleRequest);
  serveUpgrades(server, handleRequest);
  const stopStallChecks = abortStalledResponses(server, config.RESPONSE_TIMEOUT_SECONDS * 1000);
  const listeningPort = await listen(server, port);
  const stopHeartbeat = startHeartbeat({ kind: 'api', port: listeningPort });
  const close = async () => {
    await drain(server, app);
    await stopHeartbeat();
    stopStallChecks();
    stopWatchingAccess();
    stopWatchingControls();
    closeLimiter();
    closeTickets();
    closeReadiness();
    await closeQueues();
    await flushSpans();
    await disconnectMongo();
  };
  return { port: listeningPort, close };
};
