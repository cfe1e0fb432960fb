/** Calls to the API as its clients make them; every JSON response is checked against the OpenAPI document. */
import { createServer } from 'node:http';
import { type Dispatcher, request } from 'undici';
import { config } from '#shared/config.ts';
import { createApp } from '../../api/app.ts';
import { type RunningApi, startApi } from '../../api/server.ts';
import { checkAgainstOpenapi, isEndlessResponse } from './openapi.ts';
import { onSuiteEnd } from './suite-cleanup.ts';
import { listenOnUnusedPort } from './unused-port.ts';

let running: Promise<RunningApi> | undefined;

const start = async (): Promise<RunningApi> => {
  const api = await startApi({ port: 0 });
  onSuiteEnd(api.close);
  return api;
};

/** Returns the URL of this mocha process's API. The first call starts the API. */
export const anApi = async (): Promise<string> => {
  const { port } = await (running ??= start());
  return `http://127.0.0.1:${port}`;
};

/**
 * URL of another server of this process's API, with settings that are read when a server is created: TRUST_PROXY and
 * REQUIRE_HTTPS. Both servers share rate limits and database connections.
 */
export const anApiServer = async (settings: Pick<Partial<typeof config>, 'TRUST_PROXY' | 'REQUIRE_HTTPS'>) => {
  await anApi();
  const before = { ...config };
  Object.assign(config, settings);
  const server = createServer(createApp().callback());
  Object.assign(config, before);
  onSuiteEnd(async () => void server.close());
  return `http://127.0.0.1:${await listenOnUnusedPort(server)}`;
};

/** The credentials of a call; without a caller the call is anonymous. */
export interface Caller {
  id: string;
  /** Value of the `Authorization` header. */
  authorization: string;
}

/** JSON of any shape; each test asserts the shape that it expects. */
type Json = ReturnType<typeof JSON.parse>;

/** The response; `body` is parsed if it is JSON. */
export interface Reply {
  status: number;
  body: Json;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
type Headers = Record<string, string>;

const isJson = (type: unknown): boolean => String(type).startsWith('application/json');

/** The whole body, or only the first bytes of an endless stream. */
const textOf = async ({ statusCode, body }: Dispatcher.ResponseData, endless: boolean): Promise<string> => {
  if (!endless || statusCode !== 200) return body.text();
  for await (const bytes of body) return String(bytes);
  return '';
};

interface CallOptions {
  body?: unknown;
  headers?: Headers;
  /** Whether the response is checked against the OpenAPI document of this process; true by default. */
  checkOpenapi?: boolean;
}

/**
 * Makes one call. A string, a form or a buffer is sent unchanged, any other body as JSON. Throws if the response
 * violates the OpenAPI document.
 */
export const call = async (
  method: Method,
  url: string,
  { body, headers = {}, checkOpenapi = true }: CallOptions = {},
): Promise<Reply> => {
  const isRaw = typeof body === 'string' || body === undefined || body instanceof FormData || Buffer.isBuffer(body);
  const sent = isRaw ? body : JSON.stringify(body);
  const type: Headers = sent === body ? {} : { 'content-type': 'application/json' };
  const response = await request(url, { method, headers: { ...type, ...headers }, body: sent as string });
  const { pathname } = new URL(url);
  const text = await textOf(response, isEndlessResponse(method, pathname));
  const reply = { status: response.statusCode, headers: response.headers, text };
  if (!text || !isJson(response.headers['content-type'])) return { ...reply, body: undefined };
  const jsonReply = { ...reply, body: JSON.parse(text) };
  if (checkOpenapi) checkAgainstOpenapi(method, pathname, jsonReply);
  return jsonReply;
};

/** Calls to the API as `caller`. */
export const api = (caller?: Caller) => {
  const authHeader: Headers = caller ? { authorization: caller.authorization } : {};
  const callWith =
    (method: Method) =>
    async (path: string, body?: unknown, headers?: Headers): Promise<Reply> =>
      call(method, (await anApi()) + path, { body, headers: { ...authHeader, ...headers } });
  return {
    get: (path: string, headers?: Headers) => callWith('GET')(path, undefined, headers),
    post: callWith('POST'),
    put: callWith('PUT'),
    patch: callWith('PATCH'),
    delete: callWith('DELETE'),
    options: (path: string, headers?: Headers) => callWith('OPTIONS')(path, undefined, headers),
    call: (method: Method, path: string, body?: unknown) => callWith(method)(path, body),
  };
};
