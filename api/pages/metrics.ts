import { collectDefaultMetrics, register } from 'prom-client';
import { showBytes } from './byte-metrics.ts';
import type { Page } from './page.ts';
import { lookAtRelay } from './relay-metrics.ts';

collectDefaultMetrics();

/** Numbers of this process, and of the relay, for Prometheus. */
export const metrics: Page = {
  path: '/metrics',
  type: register.contentType,
  operators: true,
  render: async () => {
    await lookAtRelay();
    showBytes();
    return { body: await register.metrics() };
  },
};
