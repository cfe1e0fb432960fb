/** How the relay does, as its record in MongoDB tells it: it runs in some worker, or nowhere. */
import { Gauge } from 'prom-client';
import { type Progress, state } from '#shared/domain/events/relay.ts';
import { logger } from '#shared/logger.ts';
import { DeadEvent } from '#shared/models/dead-event.ts';

const SECOND = 1000;

const behind = new Gauge({
  name: 'relay_lag_seconds',
  help: 'Age of the moment up to which the changes log is complete; grows while nobody relays',
});
const toLog = new Gauge({
  name: 'relay_event_lag_seconds',
  help: 'Time from commit to changes log of the latest 1,000 events',
  labelNames: ['quantile'],
});
const epoch = new Gauge({ name: 'relay_epoch', help: 'How often a relay has begun' });
const dead = new Gauge({ name: 'relay_dead_events', help: 'Events set aside in the last month' });

let known: Awaited<ReturnType<typeof state>> = null;

const look = async (): Promise<void> => {
  known = await state();
  dead.set(await DeadEvent.estimatedDocumentCount());
};

/** Read how the relay does into the metrics of this process; while MongoDB is away the age of what was known grows on. */
export const lookAtRelay = async (): Promise<void> => {
  await look().catch((error: Error) => logger.warn({ err: error.message }, 'no news of the relay'));
  if (!known?.complete) return;
  behind.set((Date.now() - known.complete.getTime()) / SECOND);
  epoch.set(known.epoch);
  const { p50, p99, most } = known.lag as NonNullable<Progress['lag']>;
  for (const [quantile, ms] of Object.entries({ 0.5: p50, 0.99: p99, 1: most })) toLog.set({ quantile }, ms / SECOND);
};
