/** Finds the handler of a method and path in a tree of path segments. */
import type { Context } from 'koa';

export type RouteHandler = (ctx: Context) => Promise<void>;

interface Route {
  /** The pattern, such as `/v3/:project_id/kb`. */
  path: string;
  handler: RouteHandler;
  /** Position and name of each parameter. */
  names: [at: number, name: string][];
}

interface RouteNode {
  literals: Map<string, RouteNode>;
  parameter?: RouteNode;
  routes: Map<string, Route>;
}

const createNode = (): RouteNode => ({ literals: new Map(), routes: new Map() });

/** `/v3/projects/` → `v3`, `projects`. One trailing slash is ignored. */
const segmentsOf = (path: string): string[] => path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');

const decodeSegment = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not valid percent-encoding: taken literally
  }
};

const parameterNames = (path: string): Route['names'] =>
  segmentsOf(path).flatMap((segment, at) => (segment.startsWith(':') ? [[at, segment.slice(1)]] : []));

const paramValues = ({ names }: Route, segments: string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  for (const [at, name] of names) params[name] = decodeSegment(segments[at] as string);
  return params;
};

/** Literal segments match case-insensitively and before parameters. Of two equal routes the first wins. */
export class Router {
  readonly #root = createNode();

  /** Adds a route; a GET route also serves HEAD. */
  add(method: string, path: string, handler: RouteHandler): void {
    let at = this.#root;
    for (const segment of segmentsOf(path))
      at = segment.startsWith(':') ? (at.parameter ??= createNode()) : literalNode(at, segment);
    const route = { path, handler, names: parameterNames(path) };
    for (const each of method === 'GET' ? ['HEAD', 'GET'] : [method]) {
      if (!at.routes.has(each)) at.routes.set(each, route);
    }
  }

  /** The route of a method and path with its decoded parameters; undefined if there is none. */
  find(method: string, path: string): { route: Route; params: Record<string, string> } | undefined {
    const segments = segmentsOf(path);
    for (const { routes } of matchingNodes(this.#root, segments, 0)) {
      const route = routes.get(method);
      if (route) return { route, params: paramValues(route, segments) };
    }
    return undefined;
  }

  /** The methods that have a route at this path. */
  methodsAt(path: string): string[] {
    return [
      ...new Set([...matchingNodes(this.#root, segmentsOf(path), 0)].flatMap(({ routes }) => [...routes.keys()])),
    ];
  }
}

const literalNode = ({ literals }: RouteNode, segment: string): RouteNode => {
  const name = segment.toLowerCase();
  const node = literals.get(name) ?? createNode();
  literals.set(name, node);
  return node;
};

/**
 * The nodes that the path leads to, literal matches first; several if a literal and a parameter both match a segment.
 */
const matchingNodes = (at: RouteNode, segments: string[], depth: number): RouteNode[] => {
  const segment = segments[depth];
  if (segment === undefined) return [at];
  const literal = at.literals.get(segment.toLowerCase());
  const nodes = literal ? matchingNodes(literal, segments, depth + 1) : [];
  return segment && at.parameter ? [...nodes, ...matchingNodes(at.parameter, segments, depth + 1)] : nodes;
};
