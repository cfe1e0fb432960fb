/** The Koa app: the middleware that every request passes through, in order. */
import cors from '@koa/cors';
import Koa from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { endpointRoutes, pageRoutes } from './http/mount.ts';
import { queueBoard } from './http/queue-board.ts';
import { requestLog } from './http/request-log.ts';
import { commonHeaders } from './http/response/common-headers.ts';
import { catchErrors } from './http/response/errors.ts';
import { allowedMethods, routeRequests } from './http/router.ts';
import { pages } from './pages/pages.ts';
import { endpoints } from './resources.ts';

const DAY_SECONDS = 86_400;
const corsPreflight = cors({ origin: '*', maxAge: DAY_SECONDS });

/** Answers CORS preflights on any path. The CORS headers of other responses are set in response/common-headers.ts. */
const handleCorsPreflight: Koa.Middleware = (ctx, next) =>
  ctx.method === 'OPTIONS' ? corsPreflight(ctx, next) : next();

/** Rejects requests without TLS: 403 as plain text. */
const requireHttps: Koa.Middleware = async (ctx, next) => {
  if (ctx.secure) return next();
  ctx.status = 403;
  ctx.type = 'text/plain';
  ctx.body = 'HTTPS is required';
};

/** Throws for requests that no route matches: 405 with `Allow` if the path has other methods, else 404. */
const rejectUnmatched: Koa.Middleware = (ctx) => {
  throw unmatchedError(allowedMethods(ctx), `${ctx.method} ${ctx.path}`);
};

const unmatchedError = (allowed: string[], request: string): AppError =>
  allowed.length
    ? new AppError(405, 'METHOD_NOT_ALLOWED', `No endpoint ${request}; this path allows ${allowed.join(', ')}`).with({
        headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
      })
    : new AppError(404, 'NOT_FOUND', `No endpoint ${request}`);

/** Creates the app with all pages and endpoints mounted. */
export const createApp = (): Koa => {
  // Only the last address of `X-Forwarded-For` is trusted: the proxy added it; a caller can forge the others.
  const app = new Koa({ proxy: config.TRUST_PROXY, maxIpsCount: 1 });
  // Errors of handlers are answered by `catchErrors`; these are connection errors, such as a client that disconnected.
  app.on('error', (error: Error) => logger.debug({ err: error.message }, 'connection error'));
  app.use(requestLog);
  app.use(commonHeaders);
  app.use(catchErrors);
  app.use(handleCorsPreflight);
  if (config.REQUIRE_HTTPS) app.use(requireHttps);
  app.use(routeRequests([...pageRoutes(pages), ...endpointRoutes(endpoints)]));
  app.use(queueBoard);
  app.use(rejectUnmatched);
  return app;
};
