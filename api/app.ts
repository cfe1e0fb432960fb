/** The Koa app: what every request passes, top to bottom. */
import cors from '@koa/cors';
import Router from '@koa/router';
import Koa from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { catchErrors } from './http/errors.ts';
import { mount } from './http/mount.ts';
import { mountPages } from './http/mount-pages.ts';
import { queueBoard } from './http/queue-board.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { pages } from './pages/pages.ts';
import { endpoints } from './resources.ts';

const LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const EXPOSED = ['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', ...LIMIT_HEADERS];
const DAY = 86_400;

/** A call that came without TLS, where the operator asks for it (contract 7.2, decision 30). */
const requireHttps: Koa.Middleware = async (ctx, next) => {
  if (!config.REQUIRE_HTTPS || ctx.secure) return next();
  ctx.status = 403;
  ctx.type = 'text/plain';
  ctx.body = 'HTTPS is required';
};

/** Nothing matched: 405 with the methods that would have, else 404. */
const refuseUnknown =
  (router: Router): Koa.Middleware =>
  async ({ path, method }) => {
    const allowed = [...new Set(router.match(path, method).path.flatMap(({ methods }) => methods))];
    if (!allowed.length) throw new AppError(404, 'NOT_FOUND', `No endpoint ${method} ${path}`);
    const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') };
    throw new AppError(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed here`).with({ headers });
  };

/** The app, ready to listen. */
export const createApp = (): Koa => {
  // Of `X-Forwarded-For` only what the proxy in front added counts; the rest is the caller's to write.
  const app = new Koa({ proxy: config.TRUST_PROXY, maxIpsCount: 1 });
  const router = new Router();
  mountPages(router, pages);
  mount(router, endpoints);
  app.use(requestLog);
  app.use(catchErrors);
  app.use(securityHeaders);
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED, maxAge: DAY }));
  app.use(requireHttps);
  app.use(queueBoard);
  app.use(router.routes());
  app.use(refuseUnknown(router));
  return app;
};
