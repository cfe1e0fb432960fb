import { expect } from 'chai';
import type { RouterContext } from '@koa/router';
import { type Method, routesOf } from '../../api/http/endpoint.ts';
import { allowedMethods, routeRequests } from '../../api/http/router.ts';
import { pages } from '../../api/pages/pages.ts';
import { endpoints } from '../../api/resources.ts';

interface DeclaredRoute {
  method: Method;
  path: string;
}

const routes: DeclaredRoute[] = [
  ...pages.map(({ path }) => ({ method: 'get' as const, path })),
  ...endpoints.flatMap(routesOf),
];

let matchedRoute: DeclaredRoute | undefined;
const middleware = routeRequests(
  routes.map((route) => ({ ...route, handler: async () => void (matchedRoute = route) })),
);

/** Returns the declared route of a request, its parameters, and the allowed methods if no route matches. */
const routeOf = async (method: string, path: string) => {
  matchedRoute = undefined;
  const ctx = { method, path, request: {} } as unknown as RouterContext;
  await middleware(ctx, async () => undefined);
  return { route: matchedRoute, params: ctx.params as object | undefined, allowed: allowedMethods(ctx) };
};

const segmentsOf = (path: string): string[] => path.split('/').slice(1);
const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Whether a pattern matches a path: literals in any letter case, parameters with any text that is not empty. */
const matches = (pattern: string, path: string): boolean => {
  const [patternSegments, pathSegments] = [segmentsOf(pattern), segmentsOf(path)];
  return (
    patternSegments.length === pathSegments.length &&
    patternSegments.every((segment, index) =>
      isParameter(segment) ? pathSegments[index] : segment.toLowerCase() === pathSegments[index]?.toLowerCase(),
    )
  );
};

/** A sort key: at the first position where only one of two patterns has a parameter, the other pattern sorts first. */
const rankOf = (pattern: string): string =>
  segmentsOf(pattern)
    .map((segment) => Number(isParameter(segment)))
    .join('');

/** The routes of a path, found by a search through all routes; those with literals precede those with parameters. */
const searchRoutes = (path: string): DeclaredRoute[] =>
  routes
    .filter((route) => matches(route.path, path))
    .toSorted((one, other) => Number(rankOf(one.path)) - Number(rankOf(other.path)));

/** The literals that occur at a position in the patterns with `length` segments. */
const literalsAt = (index: number, length: number): string[] => {
  const patterns = routes.map(({ path }) => segmentsOf(path)).filter((segments) => segments.length === length);
  return [...new Set(patterns.map((segments) => segments[index] as string))].filter((segment) => !isParameter(segment));
};

/**
 * Paths for a pattern: with a value for each parameter, and with one parameter replaced by a literal of other patterns.
 */
const pathsOf = (pattern: string): string[] => {
  const segments = segmentsOf(pattern);
  const filled = segments.map((segment) => (isParameter(segment) ? 'a1' : segment));
  const variants = segments.flatMap((segment, index) =>
    isParameter(segment) ? literalsAt(index, segments.length).map((literal) => filled.with(index, literal)) : [],
  );
  return [filled, ...variants].map((each) => `/${each.join('/')}`);
};

describe('Router', () => {
  it('every method and path is routed to the route that a search through all routes finds; if there is none, the methods of the path are listed as allowed', async () => {
    for (const path of new Set(routes.flatMap((route) => pathsOf(route.path)))) {
      const candidates = searchRoutes(path);
      const methods = [...new Set(candidates.map(({ method }) => method.toUpperCase()))];
      for (const name of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { route, allowed } = await routeOf(name, path);
        expect(route, `${name} ${path}`).to.equal(candidates.find(({ method }) => method.toUpperCase() === name));
        if (!route) expect(allowed.filter((method) => method !== 'HEAD')).to.have.members(methods);
      }
    }
  });

  it('HEAD is routed like GET', async () => {
    for (const { path } of routes)
      expect((await routeOf('HEAD', path)).route).to.equal((await routeOf('GET', path)).route);
  });

  it('one trailing slash and the letter case of literals make no difference', async () => {
    for (const { method, path } of routes) {
      const { route } = await routeOf(method.toUpperCase(), path);
      const upperCase = path.replaceAll(/[^/]+/g, (segment) =>
        isParameter(segment) ? segment : segment.toUpperCase(),
      );
      expect((await routeOf(method.toUpperCase(), upperCase)).route, upperCase).to.equal(route);
      if (path !== '/') expect((await routeOf(method.toUpperCase(), `${path}/`)).route, path).to.equal(route);
    }
  });

  it('no route matches an empty parameter, a second trailing slash or a longer path', async () => {
    for (const path of [
      '//',
      '/v3/a1/kb//',
      '/v3//kb/a1',
      '/v3/a1/kb/a1//',
      '/v3/a1/kb/a1/b2',
      '/v3',
      '/v3/',
      '/v3/__proto__',
    ])
      expect(await routeOf('GET', path), path).to.deep.equal({ route: undefined, params: undefined, allowed: [] });
  });

  it('a path parameter is percent-decoded, and an invalid escape stays unchanged', async () => {
    const paramsOf = async (id: string) => (await routeOf('GET', `/v3/a1/kb/${id}`)).params;
    expect(await paramsOf('a%2Fb%20c')).to.deep.equal({ project_id: 'a1', content_id: 'a/b c' });
    expect(await paramsOf('%E0%A4')).to.deep.equal({ project_id: 'a1', content_id: '%E0%A4' });
  });
});
