/** The metrics page: metrics of this process, of the instance, and of the bytes that projects have stored today. */
import { bytesToday } from '#shared/budgets/project-bytes.ts';
import { collectProcessMetrics, METRICS_TYPE, processMetrics } from '#shared/monitoring/process-metrics.ts';
import { Gauge } from 'prom-client';
import { collectInstanceMetrics } from './instance-metrics.ts';
import type { Page } from './page.ts';
import { collectRelayMetrics } from './relay-metrics.ts';

/** Only the projects with the most bytes get a time series each, so that the number of time series stays small. */
const MAX_PROJECTS = 20;

const bytesTodayGauge = new Gauge({
  name: 'project_bytes_today',
  help: `Bytes of messages, custom events and changes stored today (UTC), for the ${MAX_PROJECTS} projects with the most`,
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

collectProcessMetrics('api');

/** The metrics in the Prometheus text format. */
export const metricsPage: Page = {
  path: '/metrics',
  type: METRICS_TYPE,
  instanceAdminsOnly: true,
  render: async () => {
    await Promise.all([collectRelayMetrics(), collectInstanceMetrics()]);
    collectByteMetrics();
    return { body: await processMetrics() };
  },
};
