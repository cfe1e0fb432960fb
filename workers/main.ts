/** The worker process: one BullMQ worker per queue, schedules, leases, a clean stop. */
import { parseArgs } from 'node:util';
import { Worker } from 'bullmq';
import { boot } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { renew } from '#shared/domain/knowledge/attempts.ts';
import { begin } from '#shared/domain/events/listeners.ts';
import { QUEUES } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { closeQueues, connectQueues, schedule } from '#shared/queue.ts';
import { patientRedis } from '#shared/redis.ts';
import { onStop } from '#shared/signals.ts';
import { loadProcessors } from './processors.ts';
import { startRelay } from './relay/relay.ts';
import { run } from './run.ts';
import { settled } from './steps/listen.ts';
import { stop } from './stopping.ts';

const SCHEDULE_MS = 5000;
/** A job is run again soon after its worker's death; its contents, when their lease ends. */
const LOCK_MS = Math.ceil((config.LEASE_SECONDS * 1000) / 4);
/** A dead worker's listeners, whom somebody waits for, go on sooner; whatever they do twice has one effect. */
const LISTENERS_LOCK_MS = Math.min(LOCK_MS, 5000);
const GRACE_MS = 10_000;
const DEADLINE_MS = 20_000;

const { values } = parseArgs({ options: { queues: { type: 'string' }, concurrency: { type: 'string' } } });
/** No queue, but chosen like one: whoever has it is ready to relay. */
const RELAY = 'relay';
const all = [...QUEUES, RELAY];
const chosen = values.queues?.split(',') ?? all;
const concurrency = Number(values.concurrency ?? config.IMPORT_SLOTS);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length || !(concurrency >= 1)) {
  console.error(`usage: npm run workers -- [--queues ${all.join(',')}] [--concurrency 8]`);
  process.exit(2);
}

/** Jobs of these queues wait for others most of the time: no project may take all the places of a worker. */
const PLACES: Record<string, number> = { bots: 8 * concurrency, events: 4 * concurrency, upkeep: 1 };

const work = (queue: string, connection: ReturnType<typeof patientRedis>) => {
  const lockDuration = queue === 'events' ? LISTENERS_LOCK_MS : LOCK_MS;
  return new Worker(queue, run, {
    connection,
    prefix: config.QUEUE_PREFIX,
    concurrency: PLACES[queue] ?? concurrency,
    lockDuration,
    stalledInterval: Math.ceil(lockDuration / 3),
    maxStalledCount: 5,
    skipVersionCheck: true,
  }).on('error', (error) => logger.warn({ queue, err: error.message }, 'worker'));
};

const tick = (work: () => Promise<unknown>, ms: number) =>
  setInterval(() => work().catch((error: Error) => logger.warn({ err: error.message }, 'tick')), ms);

await loadProcessors(chosen);
await boot();
await begin();
await connectQueues();
await schedule();
const connection = patientRedis();
const workers = chosen.filter((name) => name !== RELAY).map((queue) => work(queue, connection));
const relay = chosen.includes(RELAY) ? startRelay() : undefined;
const ticks = [tick(schedule, SCHEDULE_MS), tick(renew, (config.LEASE_SECONDS * 1000) / 4)];
logger.info({ queues: chosen, concurrency }, 'workers started');
process.send?.({ ready: true });

const end = async (reason: string) => {
  logger.info({ reason }, 'stopping');
  setTimeout(() => process.exit(1), DEADLINE_MS).unref();
  stop(GRACE_MS);
  await Promise.all([relay?.stop(), ...workers.map((worker) => worker.close())]);
  await settled();
  for (const each of ticks) clearInterval(each);
  await closeQueues();
  process.exit(0);
};
onStop(end);
