/** Calls of the API as its clients make them; every JSON answer is held against the OpenAPI document. */
import { type Dispatcher, request } from 'undici';
import { type Api, startApi } from '../../api/server.ts';
import { atEnd } from './at-end.ts';
import { checkAgainstOpenapi, isEndless } from './openapi.ts';

let running: Promise<Api> | undefined;

const start = async (): Promise<Api> => {
  const api = await startApi({ port: 0 });
  atEnd(api.close);
  return api;
};

/** Where the one API of this mocha process listens; started by the first who asks. */
export const anApi = async (): Promise<string> => {
  const { port } = await (running ??= start());
  return `http://127.0.0.1:${port}`;
};

/** Somebody who calls; without one, nobody does. */
export interface Caller {
  id: string;
  /** Value of the `Authorization` header. */
  authorization: string;
}

/** JSON of any shape: what it must be is for each test to say. */
type Json = ReturnType<typeof JSON.parse>;

/** What came back; `body` is parsed where it is JSON. */
export interface Reply {
  status: number;
  body: Json;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
type Headers = Record<string, string>;

const isJson = (type: unknown): boolean => String(type).startsWith('application/json');

/** The whole body; of a stream without an end the beginning. */
const textOf = async ({ statusCode, body }: Dispatcher.ResponseData, endless: boolean): Promise<string> => {
  if (!endless || statusCode !== 200) return body.text();
  for await (const bytes of body) return String(bytes);
  return '';
};

interface Sent {
  body?: unknown;
  headers?: Headers;
  /** Whether the answer is held against the OpenAPI document of this process. */
  isDescribed?: boolean;
}

/** One call; a text or a form is sent as it is, anything else as JSON. */
export const call = async (
  method: Method,
  url: string,
  { body, headers = {}, isDescribed = true }: Sent = {},
): Promise<Reply> => {
  const asItIs = typeof body === 'string' || body === undefined || body instanceof FormData;
  const sent = asItIs ? body : JSON.stringify(body);
  const type: Headers = sent === body ? {} : { 'content-type': 'application/json' };
  const response = await request(url, { method, headers: { ...type, ...headers }, body: sent as string });
  const { pathname } = new URL(url);
  const text = await textOf(response, isEndless(method, pathname));
  const reply = { status: response.statusCode, headers: response.headers, text };
  if (!text || !isJson(response.headers['content-type'])) return { ...reply, body: undefined };
  const checked = { ...reply, body: JSON.parse(text) };
  if (isDescribed) checkAgainstOpenapi(method, pathname, checked);
  return checked;
};

/** The API as `caller` meets it. */
export const api = (caller?: Caller) => {
  const as: Headers = caller ? { authorization: caller.authorization } : {};
  const verb =
    (method: Method) =>
    async (path: string, body?: unknown, headers?: Headers): Promise<Reply> =>
      call(method, (await anApi()) + path, { body, headers: { ...as, ...headers } });
  return {
    get: (path: string, headers?: Headers) => verb('GET')(path, undefined, headers),
    post: verb('POST'),
    put: verb('PUT'),
    patch: verb('PATCH'),
    delete: verb('DELETE'),
    options: (path: string, headers?: Headers) => verb('OPTIONS')(path, undefined, headers),
    call: (method: Method, path: string, body?: unknown) => verb(method)(path, body),
  };
};
