/**
 * The metrics of every process: memory, CPU, garbage collection, event loop, version, and the counters of `metrics.ts`.
 */
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { processVersion } from '../domain/operations/heartbeats.ts';
import { collectEmbeddingMetrics } from './embedding-metrics.ts';

/**
 * The interval at which the delay of the event loop is measured. The default of 10 ms would wake an idle process a
 * hundred times a second.
 */
const EVENT_LOOP_PRECISION_MS = 50;

/** Starts the collection of the metrics of this process. */
export const collectProcessMetrics = (kind: 'api' | 'worker'): void => {
  collectEmbeddingMetrics();
  collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const info = new Gauge({
    name: 'process_info',
    help: 'Kind and version of the process',
    labelNames: ['kind', 'version'],
  });
  info.set({ kind, version: processVersion }, 1);
};

/** The media type of the Prometheus text format. */
export const METRICS_TYPE = register.contentType;

/** Returns the metrics of this process in the Prometheus text format. */
export const processMetrics = (): Promise<string> => register.metrics();
