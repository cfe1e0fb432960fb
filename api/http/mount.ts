/** The routes of the endpoints and of the pages outside the API. */
import type { Context } from 'koa';
import type { Page } from '../pages/page.ts';
import { authenticateInstanceAdmin } from './auth/instance-admins.ts';
import { type Endpoint, routesOf } from './endpoint.ts';
import type { Route } from './router.ts';
import { runEndpoint } from './run-endpoint.ts';

/** Returns the routes of all endpoints, in the order of the endpoints. */
export const endpointRoutes = (endpoints: Endpoint[]): Route[] =>
  endpoints.flatMap((endpoint) =>
    routesOf(endpoint).map((route) => ({ ...route, handler: (ctx: Context) => runEndpoint(endpoint, ctx) })),
  );

const renderPage = async (ctx: Context, { type, instanceAdminsOnly, isCacheable, render }: Page): Promise<void> => {
  if (instanceAdminsOnly) await authenticateInstanceAdmin(ctx);
  const { status = 200, body } = await render();
  ctx.status = status;
  ctx.type = type;
  ctx.set('Cache-Control', isCacheable ? 'public, max-age=3600' : 'no-store');
  ctx.body = body;
};

/** Returns the routes of the pages, such as the documentation and the health checks. */
export const pageRoutes = (pages: Page[]): Route[] =>
  pages.map((page) => ({ method: 'get', path: page.path, handler: (ctx: Context) => renderPage(ctx, page) }));
