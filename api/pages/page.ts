/** What is served beside the API: pages for people, answers for probes. */
import { readFileSync } from 'node:fs';

/** One address outside the API, read only. */
export interface Page {
  path: string;
  /** Media type. */
  type: string;
  /** For operators of the instance only (decision 53). */
  operators?: boolean;
  /** May be kept by a browser for an hour. */
  cache?: boolean;
  render(): Rendered | Promise<Rendered>;
}

/** What a page shows now. */
export interface Rendered {
  status?: number;
  body: string | Buffer;
}

const TYPES: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** A file that never changes while the process runs, read once. */
export const asset = (path: string, file: string | URL): Page => {
  let body: Buffer | undefined;
  return {
    path,
    type: TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    cache: true,
    render: () => ({ body: (body ??= readFileSync(file)) }),
  };
};

/** A file of this folder's `assets/`. */
export const ownAsset = (path: string, name: string): Page => asset(path, new URL(`./assets/${name}`, import.meta.url));

/** JSON of any value. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2);
