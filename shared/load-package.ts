/**
 * Loads packages when they are first used, whereas an `import` statement would load them at startup. A process that
 * does not use them thus starts faster and needs less memory.
 */
import type * as Http from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns what a package exports; the first call loads it. */
export const loadPackage = (name: string): unknown => require(name);

/**
 * The module `node:http`. An `import` statement would read all its exports; reading the export `WebSocket` loads Node's
 * `fetch`, which takes about 40 ms and 13 MB. Code that does not need `fetch` uses this constant instead.
 */
export const nodeHttp = loadPackage('node:http') as typeof Http;
