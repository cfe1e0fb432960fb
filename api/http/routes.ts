/** Which handler answers a method and path: a tree of path segments, made once and walked for each request. */
import type { Context } from 'koa';

export type Handler = (ctx: Context) => Promise<void>;

interface Route {
  /** As declared, parameters by name. */
  path: string;
  handler: Handler;
  /** Which segment is which parameter. */
  names: [at: number, name: string][];
}

interface Branch {
  fixed: Map<string, Branch>;
  open?: Branch;
  routes: Map<string, Route>;
}

const branch = (): Branch => ({ fixed: new Map(), routes: new Map() });

/** `/v3/projects/` → `v3`, `projects`: one slash at the end means nothing. */
const segmentsOf = (path: string): string[] => path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');

const decoded = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // no escape of UTF-8: the text it is
  }
};

const namesOf = (path: string): Route['names'] =>
  segmentsOf(path).flatMap((segment, at) => (segment.startsWith(':') ? [[at, segment.slice(1)]] : []));

const paramsOf = ({ names }: Route, segments: string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  for (const [at, name] of names) params[name] = decoded(segments[at] as string);
  return params;
};

/** Fixed segments, in any case, go before parameters; of two routes alike the first one stays. */
export class Routes {
  readonly #root = branch();

  add(method: string, path: string, handler: Handler): void {
    let at = this.#root;
    for (const segment of segmentsOf(path))
      at = segment.startsWith(':') ? (at.open ??= branch()) : fixedOf(at, segment);
    const route = { path, handler, names: namesOf(path) };
    for (const each of method === 'GET' ? ['HEAD', 'GET'] : [method]) {
      if (!at.routes.has(each)) at.routes.set(each, route);
    }
  }

  /** The route and what its parameters stand for. */
  find(method: string, path: string): { route: Route; params: Record<string, string> } | undefined {
    const segments = segmentsOf(path);
    for (const { routes } of ends(this.#root, segments, 0)) {
      const route = routes.get(method);
      if (route) return { route, params: paramsOf(route, segments) };
    }
    return undefined;
  }

  /** Methods that would have been answered at this path. */
  methodsAt(path: string): string[] {
    return [...new Set([...ends(this.#root, segmentsOf(path), 0)].flatMap(({ routes }) => [...routes.keys()]))];
  }
}

const fixedOf = ({ fixed }: Branch, segment: string): Branch => {
  const name = segment.toLowerCase();
  const known = fixed.get(name) ?? branch();
  fixed.set(name, known);
  return known;
};

/** Where a path may end: several branches where a parameter stands beside a fixed segment. */
const ends = (at: Branch, segments: string[], depth: number): Branch[] => {
  const segment = segments[depth];
  if (segment === undefined) return [at];
  const fixed = at.fixed.get(segment.toLowerCase());
  const found = fixed ? ends(fixed, segments, depth + 1) : [];
  return segment && at.open ? [...found, ...ends(at.open, segments, depth + 1)] : found;
};
