/** The Koa app: what every request passes, top to bottom. */
import cors from '@koa/cors';
import Koa from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { catchErrors } from './http/errors.ts';
import { keepHeads } from './http/head.ts';
import { mount } from './http/mount.ts';
import { mountPages } from './http/mount-pages.ts';
import { queueBoard } from './http/queue-board.ts';
import { requestLog } from './http/request-log.ts';
import { Routes } from './http/routes.ts';
import { pages } from './pages/pages.ts';
import { endpoints } from './resources.ts';

const DAY = 86_400;
const preflight = cors({ origin: '*', maxAge: DAY });

/** Another site's question of what it may call here, on any path; what every answer says of that is in its head. */
const answerPreflight: Koa.Middleware = (ctx, next) => (ctx.method === 'OPTIONS' ? preflight(ctx, next) : next());

/** A call that came without TLS, where the operator asks for it (contract 7.2, decision 30). */
const requireHttps: Koa.Middleware = async (ctx, next) => {
  if (ctx.secure) return next();
  ctx.status = 403;
  ctx.type = 'text/plain';
  ctx.body = 'HTTPS is required';
};

/** Hand the call to its route. */
const answerBy =
  (routes: Routes): Koa.Middleware =>
  (ctx, next) => {
    const found = routes.find(ctx.method, ctx.path);
    if (!found) return next();
    ctx._matchedRoute = found.route.path;
    ctx.params = found.params;
    return found.route.handler(ctx);
  };

/** Nothing matched: 405 with the methods that would have, else 404. */
const refuseUnknown =
  (routes: Routes): Koa.Middleware =>
  ({ method, path }) => {
    throw unknown(routes.methodsAt(path), `${method} ${path}`);
  };

const unknown = (allowed: string[], call: string): AppError =>
  allowed.length
    ? new AppError(405, 'METHOD_NOT_ALLOWED', `${call.split(' ')[0]} is not allowed here`).with({
        headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
      })
    : new AppError(404, 'NOT_FOUND', `No endpoint ${call}`);

/** The app, ready to listen. */
export const createApp = (): Koa => {
  // Of `X-Forwarded-For` only what the proxy in front added counts; the rest is the caller's to write.
  const app = new Koa({ proxy: config.TRUST_PROXY, maxIpsCount: 1 });
  // What handlers throw is answered below; this is what happens to connections, such as a client that left.
  app.on('error', (error: Error) => logger.debug({ err: error.message }, 'a connection broke off'));
  keepHeads(app);
  const routes = new Routes();
  mountPages(routes, pages);
  mount(routes, endpoints);
  app.use(requestLog);
  app.use(catchErrors);
  app.use(answerPreflight);
  if (config.REQUIRE_HTTPS) app.use(requireHttps);
  app.use(answerBy(routes));
  app.use(queueBoard);
  app.use(refuseUnknown(routes));
  return app;
};
