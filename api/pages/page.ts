/** Pages served in addition to the API: HTML pages, assets, health checks and metrics. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** A read-only path outside the API. */
export interface Page {
  path: string;
  /** Media type. */
  type: string;
  /** Whether only instance administrators may open the page. */
  instanceAdminsOnly?: boolean;
  /** Whether browsers may cache the page for one hour. */
  isCacheable?: boolean;
  /** Whether third-party scripts insert styles into the page, so that its headers must allow inline styles. */
  hasInlineStyles?: boolean;
  render(): RenderedPage | Promise<RenderedPage>;
}

/** A rendered page; the status defaults to 200. */
export interface RenderedPage {
  status?: number;
  body: string | Buffer;
}

const MEDIA_TYPES: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/javascript',
};

/** Removes the types from TypeScript. Suppresses Node's warning that `stripTypeScriptTypes` is experimental. */
const toJavaScript = (source: string): string => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
};

const readAsset = (file: string | URL): Buffer | string =>
  String(file).endsWith('.ts') ? toJavaScript(readFileSync(file, 'utf8')) : readFileSync(file);

/** Returns a page that serves a file; TypeScript is served without its types. The first request reads the file. */
export const assetPage = (path: string, file: string | URL): Page => {
  let body: Buffer | string | undefined;
  return {
    path,
    type: MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    isCacheable: true,
    render: () => ({ body: (body ??= readAsset(file)) }),
  };
};

/** Returns a page that serves a file of `assets/` in this folder. */
export const ownAssetPage = (path: string, name: string): Page =>
  assetPage(path, new URL(`./assets/${name}`, import.meta.url));

/** Formats a value as indented JSON. */
export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);
