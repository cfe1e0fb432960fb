/** A worker that trials kill and replace, and the SMTP servers that it uses. */
import { createServer } from 'node:net';
import { aFleet } from './fleet.ts';
import { anSmtpServer } from './smtp-server.ts';
import { onSuiteEnd } from './suite-cleanup.ts';
import { listenOnUnusedPort } from './unused-port.ts';

/**
 * The time after which another worker takes over the work of a killed one. It exceeds the delay of the SMTP server, so
 * that the sender process, which survives the killed worker, can finish its emails before.
 */
const LEASE_SECONDS = '8';

/** A server that accepts connections and never answers; `state` counts its connections. */
const aHangingServer = async () => {
  const state = { connections: 0 };
  const server = createServer((socket) => {
    state.connections += 1;
    socket.on('error', () => undefined);
    onSuiteEnd(async () => void socket.destroy());
  });
  const port = await listenOnUnusedPort(server);
  onSuiteEnd(async () => void server.close());
  return { port, state };
};

/**
 * Starts a worker with a database and a Redis of its own. `smtpDelayMs` is the time that the SMTP server takes to
 * accept an email.
 */
export const aKillableWorker = async ({ smtpDelayMs = 50 } = {}) => {
  const [smtp, hangingSmtp] = [await anSmtpServer({ delayMs: smtpDelayMs }), await aHangingServer()];
  const fleet = await aFleet({ SMTP_URL: smtp.url, LEASE_SECONDS, WEBHOOK_TIMEOUT_SECONDS: '5' });
  let worker = await fleet.worker();
  return {
    fleet,
    smtp,
    hangingSmtp,
    worker: () => worker,
    killWorker: async (): Promise<void> => {
      await worker.end('SIGKILL');
      worker = await fleet.worker();
    },
    close: fleet.close,
  };
};

/** A running system with one worker. */
export type KillableWorker = Awaited<ReturnType<typeof aKillableWorker>>;

/**
 * The system for trials that run at the same time: the first call to `killWorker` kills the worker, and all other calls
 * share this kill. The kill thus affects every trial, because no trial ends before it has called `killWorker`.
 */
export const withSharedKill = (system: KillableWorker): KillableWorker => {
  let kill: Promise<void> | undefined;
  return { ...system, killWorker: () => (kill ??= system.killWorker()) };
};
