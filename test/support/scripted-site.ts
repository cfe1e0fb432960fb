/** A website whose answer to a request depends on how many times the path has been requested before. */
import { createServer } from 'node:http';
import { listenOnUnusedPort } from './unused-port.ts';

/** An answer. `retryAfter` is the `Retry-After` header, in seconds. */
export interface ScriptedAnswer {
  status: number;
  retryAfter?: number;
  location?: string;
  contentType?: string;
  body?: string;
}

/** Returns the answer to the nth request (counted from 0) for a path. */
export type SiteScript = (path: string, nth: number) => ScriptedAnswer;

const headersOf = ({ retryAfter, location, contentType = 'text/html; charset=utf-8' }: ScriptedAnswer) => ({
  'content-type': contentType,
  ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  ...(location !== undefined && { location }),
});

/** Starts a site on loopback. If `robots` is absent, requests for robots.txt return 404. */
export const aScriptedSite = async (answerTo: SiteScript, robots: ScriptedAnswer = { status: 404 }) => {
  const statuses = new Map<string, number[]>();
  const server = createServer(({ url: path = '/' }, response) => {
    const earlier = statuses.get(path) ?? [];
    const answer = path === '/robots.txt' ? robots : answerTo(path, earlier.length);
    statuses.set(path, [...earlier, answer.status]);
    response.writeHead(answer.status, headersOf(answer)).end(answer.body ?? `status ${answer.status}`);
  });
  const port = await listenOnUnusedPort(server);
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    /** The statuses of the responses to the requests for a path, in order. */
    statusesOf: (path: string): number[] => statuses.get(path) ?? [],
    requestedPaths: () => [...statuses.keys()],
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

/** The number of attempts after which a content with temporary failures fails. */
const MAX_ATTEMPTS = 4;

/**
 * Whether the HTTP statuses that a page returned justify the result of its indexing: 300 (the status of an indexed
 * content) or an error code.
 */
export const isJustified = (end: string | number, statuses: number[]): boolean => {
  if (end === 300) return statuses.includes(200);
  const status = Number(/^HTTP_(\d+)$/.exec(String(end))?.[1]);
  if (!statuses.includes(status)) return false;
  const failures = statuses.filter((each) => each !== 200);
  return status < 500 && status !== 429 ? true : failures.length >= MAX_ATTEMPTS;
};
