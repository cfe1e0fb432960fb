/** The middleware around all routes. `app.ts` determines the order in which a request passes through it. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';
import { Counter, Histogram } from 'prom-client';
import { overloaded } from '#shared/concurrency/work-limit.ts';
import { withCorrelationId } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { requestLogger } from '#shared/logger.ts';
import { type Maintenance, maintenanceForCall } from '#shared/process/controls.ts';
import { inSpan, type TraceSpan } from '#shared/tracing.ts';
import { MAX_UNCOUNTED_CALLS, uncountedCalls } from './auth/count-calls.ts';
import { errorBody, toAppError } from './response/errors.ts';
import { securityHeaders } from './response/security-headers.ts';
import { allowedMethods } from './router.ts';
import { runningCallsLimit } from './run-endpoint.ts';
import type { RequestHandler } from './socket-upgrades.ts';

const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of HTTP requests',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30],
});

const VALID_CORRELATION_ID = /^[\w-]{8,64}$/;
const LOGGED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the pattern of the route, not the path, so that the number of time series and of span names stays small. */
const routeOf = (ctx: Context): string => String(ctx._matchedRoute ?? 'none');

const describeSpan = (span: TraceSpan, ctx: Context): void => {
  const { method, status } = ctx;
  const route = routeOf(ctx);
  const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
  span.describe(`${method} ${route}`, attributes);
  if (status >= 500) span.fail(); // no message: the status code is the reason
};

const recordRequest = (ctx: Context, correlationId: string, ms: number): void => {
  const route = routeOf(ctx);
  const method = LOGGED_METHODS.has(ctx.method) ? ctx.method : 'OTHER';
  requestDuration.observe({ method, route, status: ctx.status }, ms / 1000);
  requestLogger.info({ correlationId, method, route, status: ctx.status, ms: Math.round(ms * 10) / 10 }, 'request');
};

/** Runs the request under a correlation id: the `X-Request-Id` header if it is valid, otherwise a new UUID. */
export const requestLog = (ctx: Context, next: Next): Promise<void> => {
  const header = ctx.get('x-request-id');
  const id = VALID_CORRELATION_ID.test(header) ? header : randomUUID();
  ctx.set('X-Request-Id', id);
  const started = performance.now();
  const record = () => recordRequest(ctx, id, performance.now() - started);
  return withCorrelationId(id, () =>
    inSpan({ name: ctx.method, kind: 'server', parent: ctx.get('traceparent') }, async (span) => {
      await next();
      if (span) describeSpan(span, ctx);
      if (ctx.body instanceof Readable && !ctx.res.closed) ctx.res.once('close', record);
      else record();
    }),
  );
};

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

/** Sent with every response except those to OPTIONS requests; @koa/cors sets the headers for CORS preflights. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
};
const PREFLIGHT_HEADERS = new Map(Object.entries({ ...securityHeaders, Vary: 'Origin' }));
const COMMON_HEADERS = new Map([...PREFLIGHT_HEADERS, ...Object.entries(CORS_HEADERS)]);

/** Middleware that sets the headers for security and CORS and, during shutdown, `Connection`. */
export const commonHeaders = async (ctx: Context, next: Next): Promise<void> => {
  // Not with `ctx.set`, which creates several arrays for each header of each call.
  ctx.res.setHeaders(ctx.method === 'OPTIONS' ? PREFLIGHT_HEADERS : COMMON_HEADERS);
  await next();
  // During shutdown, clients must not send another request on this connection.
  if (ctx.isShuttingDown) ctx.set('Connection', 'close');
};

const refusedRequests = new Counter({
  name: 'http_requests_refused_total',
  help: 'HTTP requests refused because too many others were waiting or running',
});

/** Paths that are served even while too many calls are waiting. */
const ALWAYS_ANSWERED_PATHS = /^\/(health|metrics)(\/|\?|$)/;
const PROJECT_AT = '/v3/'.length;
const PROJECT_END = PROJECT_AT + 24;

/** Whether too many calls wait to be authenticated or counted, or too many of the project in the path are running. */
const isOverloaded = (path: string): boolean => {
  const isReached =
    uncountedCalls.size >= MAX_UNCOUNTED_CALLS || runningCallsLimit.isReached(path.slice(PROJECT_AT, PROJECT_END));
  return isReached && !ALWAYS_ANSWERED_PATHS.test(path);
};

const refusal = overloaded();
const REFUSAL_BODY = Buffer.from(JSON.stringify(errorBody(refusal)));
const REFUSAL_HEADERS = {
  ...Object.fromEntries(COMMON_HEADERS),
  ...refusal.headers,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': REFUSAL_BODY.length,
};

/**
 * Returns a handler that refuses requests while there are too many, and passes the others to `handle`. It runs before
 * Koa and writes no log entry, so that a refusal costs far less than a call.
 */
export const refuseWhenOverloaded =
  (handle: RequestHandler): RequestHandler =>
  (request, response) => {
    if (isOverloaded(request.url ?? '')) {
      refusedRequests.inc();
      response.writeHead(refusal.status, REFUSAL_HEADERS).end(REFUSAL_BODY);
      return Promise.resolve();
    }
    uncountedCalls.add(request);
    return handle(request, response).finally(() => uncountedCalls.delete(request));
  };

/**
 * A 429 is sent after this delay. The delay slows down a client that repeats rejected calls immediately, so that its
 * calls do not hold up those of other projects.
 */
const REJECTION_DELAY_MS = 200;

/** Middleware that converts every error to a JSON response. */
export const catchErrors = async (ctx: Context, next: Next): Promise<void> => {
  try {
    await next();
  } catch (error) {
    const appError = toAppError(error);
    if (appError.status === 429) await sleep(REJECTION_DELAY_MS);
    ctx.status = appError.status;
    ctx.set(appError.headers);
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = JSON.stringify(errorBody(appError)); // an object would make Koa load `fetch` (13 MB of memory)
  }
};

const DAY_SECONDS = 86_400;
const corsPreflight = cors({ origin: '*', maxAge: DAY_SECONDS });

/** Answers CORS preflights on any path. `commonHeaders` sets the CORS headers of requests with other methods. */
export const handleCorsPreflight: Middleware = (ctx, next) =>
  ctx.method === 'OPTIONS' ? corsPreflight(ctx, next) : next();

/** Paths that work during maintenance: health checks, metrics, pages for instance administrators, and assets. */
const MAINTENANCE_PATHS = /^\/(health|metrics|admin|assets)(\/|$)/;

/** Middleware that refuses calls with 503 during maintenance. Calls and streams that have begun continue. */
export const rejectDuringMaintenance: Middleware = (ctx, next) => {
  if (MAINTENANCE_PATHS.test(ctx.path)) return next();
  const maintenance = maintenanceForCall();
  return maintenance ? rejectIfInProgress(maintenance, next) : next();
};

const rejectIfInProgress = async (
  current: Maintenance | Promise<Maintenance | undefined>,
  next: Next,
): Promise<void> => {
  const maintenance = await current;
  if (!maintenance) return next();
  throw new AppError(503, 'MAINTENANCE', maintenance.message).retryAfter(maintenance.retryAfterSeconds);
};

/** Rejects requests without TLS: 403 with a plain text body. */
export const requireHttps: Middleware = async (ctx, next) => {
  if (ctx.secure) return next();
  ctx.status = 403;
  ctx.type = 'text/plain';
  ctx.body = 'HTTPS is required';
};

/** Throws for requests that no route matches: 405 with `Allow` if the path has other methods, otherwise 404. */
export const rejectUnmatched: Middleware = (ctx) => {
  throw unmatchedError(allowedMethods(ctx), `${ctx.method} ${ctx.path}`);
};

const unmatchedError = (allowed: string[], request: string): AppError =>
  allowed.length
    ? new AppError(405, 'METHOD_NOT_ALLOWED', `No endpoint ${request}; this path allows ${allowed.join(', ')}`).with({
        headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
      })
    : new AppError(404, 'NOT_FOUND', `No endpoint ${request}`);
