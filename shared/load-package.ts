/**
 * Loads packages when they are first used. A process that does not use them starts faster and needs less memory; an
 * `import` statement would load them at the start.
 */
import type * as Http from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns what a package exports; the first call loads it. */
export const loadPackage = (name: string): unknown => require(name);

/**
 * `node:http`. An `import` of it also loads Node's `fetch`, which takes some 40 ms and 13 MB: it reads every export, and one
 * of them is `WebSocket`. Code that does not use `fetch` takes `node:http` from here.
 */
export const nodeHttp = loadPackage('node:http') as typeof Http;
