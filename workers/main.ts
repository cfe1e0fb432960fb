/**
 * The worker process: runs one BullMQ worker per queue, the relay, the job schedules and the renewal of indexing
 * leases, and shuts down cleanly.
 */
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { config } from '#shared/config.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { closeBrowser } from '#shared/crawl/render-page.ts';
import { renewLeases } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import { startHeartbeat } from '#shared/domain/operations/heartbeats.ts';
import { sweepPresence } from '#shared/domain/team/presence.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { boot } from '#shared/process/boot.ts';
import { watchControls } from '#shared/process/controls.ts';
import { limitHeapGrowth, releaseMemoryWhenIdle } from '#shared/heap-memory.ts';
import { exitOnStartError } from '#shared/process/start-error.ts';
import { onStop } from '#shared/process/stop-signals.ts';
import { promoteDistantJobs } from '#shared/queue/distant-jobs.ts';
import { restorePeriodicJobs, schedulePeriodicJobs } from '#shared/queue/periodic-jobs.ts';
import { closeQueues, connectQueues } from '#shared/queue/queue.ts';
import { blockingRedis } from '#shared/queue/redis.ts';
import { flushSpans } from '#shared/tracing.ts';
import { limitIndexMemory } from '#shared/vectors/index.ts';
import { waitForUnfinishedWork } from './listeners/consume-events.ts';
import { killSenderProcess, useSenderProcess } from './mail-sender/sender-client.ts';
import { startMetricsServer } from './metrics-server.ts';
import { loadProcessors } from './processors.ts';
import { createQueueWorker } from './queue-worker.ts';
import { startRelay } from './relay/relay.ts';
import { runningJobs } from './running-jobs.ts';
import { beginShutdown } from './shutdown.ts';

const SCHEDULE_INTERVAL_MS = 5000;
/**
 * How often people without an open socket are marked as offline. A timer does this without a job, which would take
 * several times as long and seldom find work to do.
 */
const PRESENCE_INTERVAL_MS = 5000;
/** Time after which work in progress is aborted on shutdown. */
const GRACE_MS = 10_000;
/** Time after which the process exits on shutdown, even if work is still in progress. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

const { values } = parseArgs({ options: { queues: { type: 'string' }, concurrency: { type: 'string' } } });
/**
 * The relay is not a BullMQ queue, but `--queues` selects it like one. Only a process that runs the relay may acquire
 * its lease.
 */
const RELAY = 'relay';
const allQueues = [...QUEUE_NAMES, RELAY];
const chosenQueues = values.queues?.split(',') ?? allQueues;
const concurrency = Number(values.concurrency ?? config.MAX_PARALLEL_JOBS_PER_PROJECT);
const unknownQueues = chosenQueues.filter((name) => !allQueues.includes(name));
if (unknownQueues.length || !(concurrency >= 1)) {
  console.error(`usage: npm run workers -- [--queues ${allQueues.join(',')}] [--concurrency 8]`);
  process.exit(2);
}

const repeatEvery = (work: () => Promise<unknown>, ms: number) =>
  setInterval(() => work().catch((error: Error) => logger.warn({ err: error.message }, 'periodic task failed')), ms);

const start = async () => {
  await loadProcessors(chosenQueues);
  await boot();
  await initCursors();
  const stopWatchingControls = await watchControls();
  await connectQueues();
  await schedulePeriodicJobs();
  useSenderProcess();
  const connection = blockingRedis();
  const queueWorkers = chosenQueues
    .filter((name) => name !== RELAY)
    .map((queue) => createQueueWorker(queue, { connection, concurrency }));
  const relay = chosenQueues.includes(RELAY) ? startRelay() : undefined;
  const port = await startMetricsServer();
  const stopHeartbeat = startHeartbeat({ kind: 'worker', port, queues: chosenQueues, running: runningJobs });
  return { queueWorkers, relay, stopHeartbeat, stopWatchingControls };
};

// Less growth than in an API process: a worker also holds the heap of the parsing thread and LanceDB's native memory.
limitHeapGrowth(50);
limitIndexMemory();
const { queueWorkers, relay, stopHeartbeat, stopWatchingControls } = await start().catch(exitOnStartError('workers'));
const timers = [
  ...(chosenQueues.includes('maintenance') ? [repeatEvery(sweepPresence, PRESENCE_INTERVAL_MS)] : []),
  repeatEvery(restorePeriodicJobs, SCHEDULE_INTERVAL_MS),
  repeatEvery(promoteDistantJobs, SCHEDULE_INTERVAL_MS),
  repeatEvery(renewLeases, (config.LEASE_SECONDS * 1000) / 4),
];

const shutDown = async (reason: string) => {
  logger.info({ reason }, 'stopping');
  setTimeout(() => {
    killSenderProcess();
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS).unref();
  beginShutdown(GRACE_MS);
  await Promise.all([relay?.stop(), ...queueWorkers.map((worker) => worker.close())]);
  await waitForUnfinishedWork();
  for (const timer of timers) clearInterval(timer);
  stopWatchingControls();
  await stopHeartbeat();
  await closeBrowser();
  await Promise.all([closeQueues(), flushSpans()]);
  process.exit(0);
};
onStop(shutDown);
logger.info({ queues: chosenQueues, concurrency }, 'workers started');
process.send?.({ ready: true });
releaseMemoryWhenIdle();
flushCompileCache(); // Node.js itself writes the compile cache only at exit, so a killed process would not write it
