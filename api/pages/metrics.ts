import { collectDefaultMetrics, register } from 'prom-client';
import type { Page } from './page.ts';

collectDefaultMetrics();

/** Numbers of this process for Prometheus. */
export const metrics: Page = {
  path: '/metrics',
  type: register.contentType,
  operators: true,
  render: async () => ({ body: await register.metrics() }),
};
