/** The Koa app: the middleware that every request passes through, in order. */
import Koa from 'koa';
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import {
  catchErrors,
  commonHeaders,
  handleCorsPreflight,
  rejectDuringMaintenance,
  rejectUnmatched,
  requestLog,
  requireHttps,
} from './http/middleware.ts';
import { queueBoard } from './http/queue-board.ts';
import { endpointRoutes, pageRoutes, routeRequests } from './http/router.ts';
import { pages } from './pages/pages.ts';
import { endpoints } from './resources.ts';

/** Creates the app with all pages and endpoints mounted. */
export const createApp = (): Koa => {
  // Only the last address in `X-Forwarded-For` is trusted, because the proxy added it. A caller can forge the others.
  const app = new Koa({ proxy: config.TRUST_PROXY, maxIpsCount: 1 });
  // An `error` event reports a connection error, for example a disconnected client. `catchErrors` handles all others.
  app.on('error', (error: Error) => logger.debug({ err: error.message }, 'connection error'));
  app.use(requestLog);
  app.use(commonHeaders);
  app.use(catchErrors);
  app.use(handleCorsPreflight);
  if (config.REQUIRE_HTTPS) app.use(requireHttps);
  app.use(rejectDuringMaintenance);
  app.use(routeRequests([...pageRoutes(pages), ...endpointRoutes(endpoints)]));
  app.use(queueBoard);
  app.use(rejectUnmatched);
  return app;
};
