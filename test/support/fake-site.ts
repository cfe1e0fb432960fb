import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnUnusedPort } from './unused-port.ts';

/** A page: its HTML, or the parts of its response. */
export type FakePage =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array; delayMs?: number };

/** A request that the site received. */
export type FakeRequest = { method: string; path: string; headers: IncomingMessage['headers'] };

/** With `etags`, pages have an ETag, and a conditional request with that ETag is answered with 304. */
export type FakeSiteOptions = { etags?: boolean };

const notFound = { status: 404, body: 'not here' };

const respond = async (page: FakePage, response: ServerResponse, { etags }: FakeSiteOptions) => {
  const { status = 200, headers = {}, body = '', delayMs = 0 } = typeof page === 'string' ? { body: page } : page;
  if (delayMs) await sleep(delayMs);
  const etag = etags && status === 200 ? `"${createHash('sha1').update(body).digest('hex')}"` : undefined;
  const unchanged = etag !== undefined && response.req.headers['if-none-match'] === etag;
  response.writeHead(unchanged ? 304 : status, {
    'content-type': 'text/html; charset=utf-8',
    ...(etag && { etag }),
    ...headers,
  });
  response.end(unchanged ? undefined : body);
};

/**
 * A site on loopback that records the requests that it receives. `pages` may change while it runs. It serves a
 * robots.txt only if `pages` contains one.
 */
export const aSite = async (pages: Record<string, FakePage> = {}, options: FakeSiteOptions = {}) => {
  const hits = new Map<string, number>();
  const requests: FakeRequest[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    hits.set(path, (hits.get(path) ?? 0) + 1);
    requests.push({ method, path, headers });
    respond(pages[path] ?? notFound, response, options).catch(() => response.destroy());
  });
  const port = await listenOnUnusedPort(server);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    pages,
    hits,
    requests,
    url: (path: string) => origin + path,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
