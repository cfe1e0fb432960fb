/** Metrics of the relay. They are read from its record in MongoDB, because the relay runs in one of the workers. */
import { Gauge } from 'prom-client';
import { type RelayProgress, relayState } from '#shared/domain/events/relay-lease.ts';
import { logger } from '#shared/logger.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { currentTimeMs } from '#shared/time/clock.ts';

const SECOND_MS = 1000;

const lagGauge = new Gauge({
  name: 'relay_lag_seconds',
  help: 'Seconds since the time up to which the changes log is complete; grows while no relay runs',
});
const eventLagGauge = new Gauge({
  name: 'relay_event_lag_seconds',
  help: 'Seconds from the commit of an event to its entry in the changes log, over the latest 1,000 events',
  labelNames: ['quantile'],
});
const epochGauge = new Gauge({ name: 'relay_epoch', help: 'Number of times that a relay has taken the lease' });
const deadLettersGauge = new Gauge({ name: 'relay_dead_letters', help: 'Dead letters of the last month' });

let latestRelayState: Awaited<ReturnType<typeof relayState>> = null;

const loadRelayState = async (): Promise<void> => {
  latestRelayState = await relayState();
  deadLettersGauge.set(await DeadLetter.estimatedDocumentCount());
};

/** Updates the metrics of the relay. If MongoDB is unavailable, the lag grows from the last known state. */
export const collectRelayMetrics = async (): Promise<void> => {
  await loadRelayState().catch((error: Error) => logger.warn({ err: error.message }, 'reading the relay state failed'));
  if (!latestRelayState?.relayedUntil) return;
  lagGauge.set((currentTimeMs() - latestRelayState.relayedUntil.getTime()) / SECOND_MS);
  epochGauge.set(latestRelayState.epoch);
  const { p50, p99, max } = latestRelayState.lag as NonNullable<RelayProgress['lag']>;
  for (const [quantile, ms] of Object.entries({ 0.5: p50, 0.99: p99, 1: max }))
    eventLagGauge.set({ quantile }, ms / SECOND_MS);
};
