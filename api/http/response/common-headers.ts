/** The headers of every response. */
import type { Context, Next } from 'koa';
import { securityHeaders } from './security-headers.ts';

const LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Record-Version',
  'ETag',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Next-Cursor',
  ...LIMIT_HEADERS,
];

/** Sent with every response except those to preflights, for which @koa/cors sets the headers. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
};
const PREFLIGHT_HEADERS = { ...securityHeaders, Vary: 'Origin' };
const COMMON_HEADERS = { ...PREFLIGHT_HEADERS, ...CORS_HEADERS };

/** Middleware that sets the common headers. */
export const commonHeaders = async (ctx: Context, next: Next): Promise<void> => {
  ctx.set(ctx.method === 'OPTIONS' ? PREFLIGHT_HEADERS : COMMON_HEADERS);
  await next();
  // During shutdown, clients must not send another request on this connection.
  if (ctx.isShuttingDown) ctx.set('Connection', 'close');
};
