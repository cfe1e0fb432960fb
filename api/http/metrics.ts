import { Histogram } from 'prom-client';

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30],
});

/** Count one answered request; `route` is a pattern, never a path, so that the number of series stays small. */
export const countRequest = (labels: { method: string; route: string; status: number }, ms: number): void =>
  duration.observe(labels, ms / 1000);
