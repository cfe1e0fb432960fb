/**
 * The HTTP server of a worker for Prometheus and health checks: `/metrics` and `/health/live`. It serves no project
 * data.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '#shared/config.ts';
import { nodeHttp } from '#shared/load-package.ts';
import { logger } from '#shared/logger.ts';
import { collectProcessMetrics, METRICS_TYPE, processMetrics } from '#shared/monitoring/process-metrics.ts';

type Answer = { type: string; body: string };

const ANSWERS: Record<string, () => Promise<Answer> | Answer> = {
  '/metrics': async () => ({ type: METRICS_TYPE, body: await processMetrics() }),
  '/health/live': () => ({ type: 'application/json', body: '{"status":"ok"}' }),
};

const answer = async ({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
  const respond = method === 'GET' ? ANSWERS[url.split('?', 1)[0] ?? ''] : undefined;
  const { type, body } = (await respond?.()) ?? {
    type: 'text/plain',
    body: 'Not found: use /metrics or /health/live\n',
  };
  response.writeHead(respond ? 200 : 404, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }).end(body);
};

/**
 * Starts the server on WORKER_METRICS_PORT, and returns its port; undefined if the setting is absent or the port is
 * taken. The worker also runs without the server.
 */
export const startMetricsServer = async (): Promise<number | undefined> => {
  if (config.WORKER_METRICS_PORT === undefined) return undefined;
  collectProcessMetrics('worker');
  const server = nodeHttp.createServer((request, response) => void answer(request, response));
  server.unref();
  try {
    server.listen(config.WORKER_METRICS_PORT, config.HOST);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const advice = 'metrics are not served: set WORKER_METRICS_PORT to a free port, or to 0 for any free port';
    logger.warn({ port: config.WORKER_METRICS_PORT, err: (error as Error).message }, advice);
    return undefined;
  }
};
