/** Calls an operation: builds the request, sends it, and reads the reply. */
import { send, type SendOptions } from './send.ts';

export interface CallOptions extends SendOptions {
  /** Address of the API, for example `https://chat.example.com`. */
  url: string;
  /** The value of the `Authorization` header, for example `JWT …`, or a function that returns it for each call. */
  authorization?: string | (() => string | Promise<string>) | undefined;
}

/** The parts of an input, whatever its operation. */
export interface AnyInput {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A reply with the cursor of the next page, which some lists send as a header. */
export interface ListReply {
  reply: unknown;
  nextCursor: string | null;
}

const urlOf = (base: string, template: string, { path = {}, query = {} }: AnyInput): URL => {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (path[name] === undefined) throw new TypeError(`path.${name} is required for ${template}`);
    return encodeURIComponent(path[name]);
  });
  const url = new URL(filled, base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
};

const isJson = (body: unknown): boolean =>
  body !== undefined && !(body instanceof FormData || body instanceof Uint8Array || body instanceof Blob);

/** Whether the reply is streamed. The API stores no streamed reply, so such a call has no `Idempotency-Key`. */
const isStream = (body: unknown): boolean => {
  const { stream, chunks_only } = (body ?? {}) as { stream?: boolean; chunks_only?: boolean };
  return stream === true && chunks_only !== true;
};

const headersOf = async (method: string, body: unknown, authorization: CallOptions['authorization']) => {
  const credentials = typeof authorization === 'function' ? await authorization() : authorization;
  return {
    ...(credentials && { authorization: credentials }),
    ...(isJson(body) && { 'content-type': 'application/json' }),
    ...(method === 'POST' && !isStream(body) && { 'idempotency-key': crypto.randomUUID() }),
  };
};

const readReply = async (response: Response): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('text/') ? response.text() : new Uint8Array(await response.arrayBuffer());
};

/** Calls an operation. Throws an `ApiError`, or a `TypeError` if the server cannot be reached. */
export const callOperation = async (
  operation: string,
  input: AnyInput = {},
  options: CallOptions,
): Promise<ListReply> => {
  const [method = '', template = ''] = operation.split(' ');
  const { body } = input;
  const content = (isJson(body) ? JSON.stringify(body) : body) as RequestInit['body'] | undefined;
  const headers = await headersOf(method, body, options.authorization);
  const init = { method, headers, ...(content !== undefined && { body: content }) };
  const response = await send(urlOf(options.url, template, input), init, options);
  return { reply: await readReply(response), nextCursor: response.headers.get('x-next-cursor') };
};
