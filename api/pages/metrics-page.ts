/** The metrics page: metrics of this process, of the relay, and of the bytes that each project stores per day. */
import { bytesToday } from '#shared/budgets/project-bytes.ts';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { collectAiMetrics } from './ai-metrics.ts';
import type { Page } from './page.ts';
import { collectRelayMetrics } from './relay-metrics.ts';

/** Only the largest projects are labelled, so that the number of time series stays small. */
const MAX_PROJECTS = 20;
const EVENT_LOOP_PRECISION_MS = 50;

const bytesTodayGauge = new Gauge({
  name: 'project_bytes_today',
  help: `Bytes of messages, custom events and changes today (UTC), for the ${MAX_PROJECTS} largest projects`,
  labelNames: ['project'],
});
const rejectionsGauge = new Gauge({
  name: 'project_bytes_rejections',
  help: 'Calls that this process has rejected with 429 because the project had used up its daily byte budget',
});

const collectByteMetrics = (): void => {
  const usage = bytesToday(MAX_PROJECTS);
  bytesTodayGauge.reset();
  for (const [project, bytes] of usage.largest) bytesTodayGauge.set({ project }, bytes);
  rejectionsGauge.set(usage.rejections);
};

// The default of 10 ms wakes an idle API a hundred times a second.
collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });

/** The metrics in the Prometheus text format. */
export const metricsPage: Page = {
  path: '/metrics',
  type: register.contentType,
  instanceAdminsOnly: true,
  render: async () => {
    await collectRelayMetrics();
    collectByteMetrics();
    collectAiMetrics();
    return { body: await register.metrics() };
  },
};
