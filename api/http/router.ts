/**
 * Routes requests with @koa/router. Each resource has a router of its own, found by the path segment of the resource,
 * because a router tests all of its routes for every request.
 */
import Router, { type Layer, type RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { Method } from './endpoint.ts';

/** A route; `get` also serves HEAD. */
export interface Route {
  method: Method;
  /** The pattern, such as `/v3/:project_id/kb/:content_id`. */
  path: string;
  handler(ctx: Context): Promise<void>;
}

/** `/v3/:project_id/kb/:content_id` → `/v3/:project_id/kb`; `/v3/projects/:project_id` → `/v3/projects`. */
const resourceOf = ({ path }: Route): string => /^(\/v3)?(\/:project_id)?\/[^/]*/.exec(path)?.[0].toLowerCase() ?? path;

/** The resources to which a path may belong, in the order in which they are tried. */
const resourcesAt = (path: string): string[] => {
  const [, first = '', second = '', third = ''] = path.toLowerCase().split('/', 4);
  return first === 'v3' ? [`/v3/${second}`, `/v3/:project_id/${third}`] : [`/${first}`];
};

/** Sorts literal segments before parameters: the first route that matches a request runs. */
const literalsFirst = ({ path }: Route): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? 1 : 0))
    .join('');

const compareRoutes = (one: Route, other: Route): number => literalsFirst(one).localeCompare(literalsFirst(other));

const createRouter = (routes: Route[]): RouterMiddleware => {
  const router = new Router();
  for (const { method, path, handler } of routes.toSorted(compareRoutes)) router[method](path, handler);
  return router.routes();
};

/** Runs the handler of the route that matches the request; without one, the next middleware. */
export const routeRequests = (routes: Route[]): RouterMiddleware => {
  const resources = Map.groupBy(routes, resourceOf);
  const routers = new Map([...resources].map(([resource, group]) => [resource, createRouter(group)]));
  return (ctx, next) =>
    resourcesAt(ctx.path).reduceRight<() => Promise<unknown>>((pass, resource) => {
      const router = routers.get(resource);
      return router ? () => router(ctx, pass) : pass;
    }, next)();
};

/** The methods that have a route at the path of a request which no route matched. */
export const allowedMethods = ({ matched = [] }: Context): string[] => [
  ...new Set((matched as Layer[]).flatMap(({ methods }) => methods)),
];
