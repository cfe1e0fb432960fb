/** The head of an answer: kept while it is made and written at once, for each header set by itself costs a scan and a copy. */
import type Koa from 'koa';
import type { Context } from 'koa';
import { pourBytes } from './pour.ts';
import { everywhere } from './security-headers.ts';

type Head = Record<string, string | string[]>;

const LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const EXPOSED = [
  'X-Request-Id',
  'X-Record-Version',
  'ETag',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Next-Cursor',
  ...LIMIT_HEADERS,
];

/** What a preflight does not say: it has its own words for other sites. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(','),
};
const PREFLIGHT: Head = { ...everywhere, Vary: 'Origin' };
const ALWAYS: Head = { ...PREFLIGHT, ...CROSS_ORIGIN };

/** Begin the head of an answer with what every answer says. */
export const beginHead = (ctx: Context, requestId: string): void => {
  ctx.head = { ...(ctx.method === 'OPTIONS' ? PREFLIGHT : ALWAYS), 'X-Request-Id': requestId };
};

function keep(this: Context, field: string | Head, value?: string | string[]): void {
  if (typeof field === 'string') this.head[field] = value;
  else Object.assign(this.head, field);
}

/** Have all that `ctx.set` says kept for the head, in place of being set by itself. */
export const keepHeads = ({ context }: Koa): void => {
  context.set = keep;
};

const headOf = (ctx: Context): Head => {
  // The server ends: no client may send its next request on this connection.
  if (ctx.leaving) ctx.head.Connection = 'close';
  return ctx.head;
};

/** Give the head to an answer that Koa sends: a page, an error, a stream. */
export const handOver = (ctx: Context): void => {
  if (ctx.headerSent) return;
  for (const [name, value] of Object.entries(headOf(ctx))) ctx.res.setHeader(name, value);
};

/** Characters from which an answer is sent in pieces, as its reader takes them. */
const LARGE = 65_536;

/** Send a whole answer as JSON, past Koa: in one write unless it is large. */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  const { res } = ctx;
  res.statusCode = status;
  if (!ctx.writable) return;
  ctx.respond = false;
  const isLarge = text.length >= LARGE && ctx.method !== 'HEAD';
  const body = isLarge ? Buffer.from(text) : text;
  const head = headOf(ctx);
  head['Content-Type'] = 'application/json; charset=utf-8';
  head['Content-Length'] = String(Buffer.byteLength(body));
  res.writeHead(status, head);
  if (typeof body === 'string') res.end(body);
  else void pourBytes(res, body);
};
