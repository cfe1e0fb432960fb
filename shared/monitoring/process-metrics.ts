/**
 * The metrics of every process: memory, CPU, garbage collection, event loop, version, and those in shared/metrics.ts.
 * A process measures its event loop, its garbage collection and its CPU time only after the first call for its metrics,
 * because measuring the event loop wakes up an idle process twenty times a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { processVersion } from '../domain/operations/heartbeats.ts';
import { collectEmbeddingMetrics } from './embedding-metrics.ts';

/**
 * The interval at which the delay of the event loop is measured. The default of 10 ms would wake an idle process a
 * hundred times a second.
 */
const EVENT_LOOP_PRECISION_MS = 50;

let measuring: Promise<void> | undefined;

/** Starts collecting the Node.js metrics, and waits until the delay of the event loop has been measured once. */
const startMeasuring = async (): Promise<void> => {
  collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  await sleep(2 * EVENT_LOOP_PRECISION_MS);
};

/** Declares the metrics of this process. */
export const collectProcessMetrics = (kind: 'api' | 'worker'): void => {
  collectEmbeddingMetrics();
  const info = new Gauge({
    name: 'process_info',
    help: 'Kind and version of the process',
    labelNames: ['kind', 'version'],
  });
  info.set({ kind, version: processVersion }, 1);
};

/** The media type of the Prometheus text format. */
export const METRICS_TYPE = register.contentType;

/** Returns the metrics of this process in the Prometheus text format. The first call takes 0.1 s longer. */
export const processMetrics = async (): Promise<string> => {
  await (measuring ??= startMeasuring());
  return register.metrics();
};
