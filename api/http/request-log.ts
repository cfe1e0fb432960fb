import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { withRequestId } from '#shared/context.ts';
import { requestLogger } from '#shared/logger.ts';
import { beginHead, handOver } from './head.ts';
import { countRequest } from './metrics.ts';

const ACCEPTED_ID = /^[\w-]{8,64}$/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const tell = (ctx: Context, requestId: string, ms: number): void => {
  const route = String(ctx._matchedRoute ?? 'none');
  const method = METHODS.has(ctx.method) ? ctx.method : 'OTHER';
  countRequest({ method, route, status: ctx.status }, ms);
  requestLogger.info({ requestId, method, route, status: ctx.status, ms: Math.round(ms * 10) / 10 }, 'request');
};

/** Give the request its id (the caller's `X-Request-Id` if it is one); log and count it when it is answered. */
export const requestLog = (ctx: Context, next: Next): Promise<void> => {
  const given = ctx.get('x-request-id');
  const id = ACCEPTED_ID.test(given) ? given : randomUUID();
  beginHead(ctx, id);
  const started = performance.now();
  return withRequestId(id, async () => {
    await next();
    handOver(ctx);
    tell(ctx, id, performance.now() - started);
  });
};
