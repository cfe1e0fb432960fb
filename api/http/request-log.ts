/** Gives each request its correlation id; logs and measures it when it is answered. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context, Next } from 'koa';
import { Histogram } from 'prom-client';
import { withCorrelationId } from '#shared/context.ts';
import { requestLogger } from '#shared/logger.ts';

const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of HTTP requests',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30],
});

const VALID_CORRELATION_ID = /^[\w-]{8,64}$/;
const LOGGED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const recordRequest = (ctx: Context, correlationId: string, ms: number): void => {
  // The pattern of the route, never the path, so that the number of time series stays small.
  const route = String(ctx._matchedRoute ?? 'none');
  const method = LOGGED_METHODS.has(ctx.method) ? ctx.method : 'OTHER';
  requestDuration.observe({ method, route, status: ctx.status }, ms / 1000);
  requestLogger.info({ correlationId, method, route, status: ctx.status, ms: Math.round(ms * 10) / 10 }, 'request');
};

/** Runs the request under a correlation id: the `X-Request-Id` header if it is valid, else a new UUID. */
export const requestLog = (ctx: Context, next: Next): Promise<void> => {
  const header = ctx.get('x-request-id');
  const id = VALID_CORRELATION_ID.test(header) ? header : randomUUID();
  ctx.set('X-Request-Id', id);
  const started = performance.now();
  const record = () => recordRequest(ctx, id, performance.now() - started);
  return withCorrelationId(id, async () => {
    await next();
    if (ctx.body instanceof Readable && !ctx.res.closed) ctx.res.once('close', record);
    else record();
  });
};
