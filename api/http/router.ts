/**
 * Routes requests with @koa/router. A router tests all of its routes for every request. Therefore, the routes of each
 * resource that have the same number of path segments have their own router.
 */
import type * as KoaRouter from '@koa/router';
import type { Context } from 'koa';
import { loadPackage } from '#shared/load-package.ts';
import type { Page } from '../pages/page.ts';
import { authenticateInstanceAdmin } from './auth/authorize.ts';
import { type Endpoint, type Method, routesOf } from './endpoint.ts';
import { inlineStyleHeaders } from './response/security-headers.ts';
import { runEndpoint } from './run-endpoint.ts';

/** Not loaded with `import`: the ES module would load Node's `fetch`, which takes time (see load-package.ts). */
const Router = loadPackage('@koa/router') as typeof KoaRouter.default;

/** A route; `get` also serves HEAD. */
export interface Route {
  method: Method;
  /** The pattern, such as `/v3/:project_id/kb/:content_id`. */
  path: string;
  handler(ctx: Context): Promise<void>;
}

/** Returns the routes of all endpoints, in the order of the endpoints. */
export const endpointRoutes = (endpoints: Endpoint[]): Route[] =>
  endpoints.flatMap((endpoint) =>
    routesOf(endpoint).map((route) => ({ ...route, handler: (ctx: Context) => runEndpoint(endpoint, ctx) })),
  );

const renderPage = async (ctx: Context, page: Page): Promise<void> => {
  if (page.instanceAdminsOnly) await authenticateInstanceAdmin(ctx);
  const { status = 200, body } = await page.render();
  ctx.status = status;
  ctx.type = page.type;
  ctx.set('Cache-Control', page.isCacheable ? 'public, max-age=3600' : 'no-store');
  if (page.hasInlineStyles) ctx.set(inlineStyleHeaders);
  ctx.body = body;
};

/** Returns the routes of the pages, such as the documentation and the health checks. */
export const pageRoutes = (pages: Page[]): Route[] =>
  pages.map((page) => ({ method: 'get', path: page.path, handler: (ctx: Context) => renderPage(ctx, page) }));

/** Returns the segments of a path in lower case; none for `/`. One slash at the end makes no difference. */
const segmentsOf = (path: string): string[] =>
  path === '/'
    ? []
    : path
        .slice(1, path.endsWith('/') ? -1 : undefined)
        .toLowerCase()
        .split('/');

/**
 * Returns the key of a route's router: the path up to the segment that names the resource, and the number of segments.
 * Examples: `/v3/:project_id/tags 4` for `/v3/:project_id/tags/:tag_id`, `/v3/users 2` for `/v3/users`.
 */
const routerKey = ({ path }: Route): string => {
  const segments = segmentsOf(path);
  const resourceAt = segments[0] !== 'v3' ? 0 : segments[1] === ':project_id' ? 2 : 1;
  return `/${segments.slice(0, resourceAt + 1).join('/')} ${segments.length}`;
};

/** Returns the keys of the routers that may have a route for a path, in the order in which they are tried. */
const routerKeysAt = (path: string): string[] => {
  const segments = segmentsOf(path);
  const [first = '', second = '', third = ''] = segments;
  const resources = first === 'v3' ? [`/v3/${second}`, `/v3/:project_id/${third}`] : [`/${first}`];
  return resources.map((resource) => `${resource} ${segments.length}`);
};

/** Returns a key that sorts literal segments before parameters, because the first matching route handles a request. */
const sortKeyOf = ({ path }: Route): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? 1 : 0))
    .join('');

const compareRoutes = (one: Route, other: Route): number => sortKeyOf(one).localeCompare(sortKeyOf(other));

const createRouter = (routes: Route[]): KoaRouter.RouterMiddleware => {
  const router = new Router();
  for (const { method, path, handler } of routes.toSorted(compareRoutes)) router[method](path, handler);
  return router.routes();
};

/** Middleware that runs the handler of the route that matches the request, or the next middleware if none matches. */
export const routeRequests = (routes: Route[]): KoaRouter.RouterMiddleware => {
  const routers = new Map([...Map.groupBy(routes, routerKey)].map(([key, group]) => [key, createRouter(group)]));
  return (ctx, next) =>
    routerKeysAt(ctx.path).reduceRight<() => Promise<unknown>>((pass, key) => {
      const router = routers.get(key);
      return router ? () => router(ctx, pass) : pass;
    }, next)();
};

/** Returns the methods that have a route at the path of the request. */
export const allowedMethods = ({ matched = [] }: Context): string[] => [
  ...new Set((matched as KoaRouter.Layer[]).flatMap(({ methods }) => methods)),
];
