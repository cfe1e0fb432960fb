/**
 * Metrics of the whole instance: queues, overdue work, waiting conversations, processes and subscriptions. Each API
 * process reads them when its metrics are read, so all API processes report the same values.
 */
import { Gauge } from 'prom-client';
import { listProcesses } from '#shared/domain/operations/heartbeats.ts';
import { readOverdueWork } from '#shared/domain/operations/overdue-work.ts';
import { readQueueFigures } from '#shared/domain/operations/queue-figures.ts';
import { countWaiting } from '#shared/domain/routing/waiting-queue.ts';
import { countDisabledSubscriptions } from '#shared/domain/webhooks/disable-subscription.ts';
import { currentMaintenance } from '#shared/process/controls.ts';

const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name, help, labelNames });

const dependencyUp = gauge('dependency_up', '1 if the service answered when the metrics were read', 'service');
const queueJobs = gauge('queue_jobs', 'Jobs of a queue by state', 'queue', 'state');
const queueAge = gauge(
  'queue_oldest_job_age_seconds',
  'Seconds that the oldest job of a queue has been waiting',
  'queue',
);
const queuePaused = gauge('queue_paused', '1 if the queue is paused', 'queue');
const workCount = gauge(
  'work_overdue',
  'Records whose work is due and that no worker is doing, at most 10,000',
  'work',
);
const workAge = gauge('work_oldest_overdue_seconds', 'Seconds that the oldest overdue work has been due', 'work');
const waitingCount = gauge('conversations_waiting', 'Conversations in the waiting queue, at most 10,000');
const waitingAge = gauge(
  'conversations_oldest_waiting_seconds',
  'Age of the oldest conversation in the waiting queue, in seconds',
);
const processCount = gauge(
  'fleet_processes',
  'Processes: `running` with a recent heartbeat, `lost` without one',
  'kind',
  'state',
);
const disabledCount = gauge('subscriptions_disabled', 'Subscriptions that are disabled');
const maintenanceOn = gauge('maintenance_mode', '1 during maintenance');

const collectQueues = async (): Promise<void> => {
  for (const { name: queue, counts, oldestAgeSeconds, isPaused } of await readQueueFigures()) {
    for (const [state, count] of Object.entries(counts)) queueJobs.set({ queue, state }, count);
    queueAge.set({ queue }, oldestAgeSeconds);
    queuePaused.set({ queue }, Number(isPaused));
  }
};

const collectProcesses = async (): Promise<void> => {
  const processes = await listProcesses();
  for (const kind of ['api', 'worker'])
    for (const [state, isLost] of [
      ['running', false],
      ['lost', true],
    ] as const) {
      const count = processes.filter((each) => each.kind === kind && each.isLost === isLost).length;
      processCount.set({ kind, state }, count);
    }
};

const collectRecords = async (): Promise<void> => {
  const [work, waiting, disabled] = await Promise.all([
    readOverdueWork(),
    countWaiting(),
    countDisabledSubscriptions(),
  ]);
  for (const { name, count, oldestAgeSeconds } of work) {
    workCount.set({ work: name }, count);
    workAge.set({ work: name }, oldestAgeSeconds);
  }
  waitingCount.set(waiting.count);
  waitingAge.set(waiting.oldestAgeSeconds);
  disabledCount.set(disabled);
};

/** Records whether a service answers. If it does not, its other metrics keep their last values. */
const observe = async (service: string, collect: () => Promise<unknown>): Promise<void> => {
  const isUp = await collect().then(
    () => true,
    () => false,
  );
  dependencyUp.set({ service }, Number(isUp));
};

/** Updates the metrics of the instance. */
export const collectInstanceMetrics = async (): Promise<void> => {
  maintenanceOn.set(currentMaintenance() ? 1 : 0);
  await Promise.all([
    observe('redis', collectQueues),
    observe('mongodb', () => Promise.all([collectRecords(), collectProcesses()])),
  ]);
};
