/**
 * Collects the headers of a response and writes them at once: setting each one on the response scans and copies the
 * list of headers.
 */
import type Koa from 'koa';
import type { Context } from 'koa';
import { securityHeaders } from './security-headers.ts';
import { writeBytes } from './write-with-backpressure.ts';

type HeaderValues = Record<string, string | string[]>;

const LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Record-Version',
  'ETag',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Next-Cursor',
  ...LIMIT_HEADERS,
];

/** Not sent with preflights, for which @koa/cors sets its own headers. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
};
const PREFLIGHT_HEADERS: HeaderValues = { ...securityHeaders, Vary: 'Origin' };
const COMMON_HEADERS: HeaderValues = { ...PREFLIGHT_HEADERS, ...CORS_HEADERS };

/** Starts the headers of a response with the common ones and its correlation id. */
export const initHeaders = (ctx: Context, correlationId: string): void => {
  ctx.responseHeaders = {
    ...(ctx.method === 'OPTIONS' ? PREFLIGHT_HEADERS : COMMON_HEADERS),
    'X-Request-Id': correlationId,
  };
};

function setBufferedHeader(this: Context, field: string | HeaderValues, value?: string | string[]): void {
  if (typeof field === 'string') this.responseHeaders[field] = value;
  else Object.assign(this.responseHeaders, field);
}

/** Makes `ctx.set` collect headers instead of setting them on the response. */
export const bufferHeaders = ({ context }: Koa): void => {
  context.set = setBufferedHeader;
};

const finalHeaders = (ctx: Context): HeaderValues => {
  // During shutdown, clients must not send another request on this connection.
  if (ctx.isShuttingDown) ctx.responseHeaders.Connection = 'close';
  return ctx.responseHeaders;
};

/** Sets the collected headers on a response that Koa or a stream writes. */
export const flushHeaders = (ctx: Context): void => {
  if (ctx.headerSent) return;
  for (const [name, value] of Object.entries(finalHeaders(ctx))) ctx.res.setHeader(name, value);
};

/** Responses of this length or more are sent in pieces, as the client reads them. */
const LARGE_BODY_CHARACTERS = 65_536;

/** Sends a JSON text without Koa: in a single write unless it is large. */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  const { res } = ctx;
  res.statusCode = status;
  if (!ctx.writable) return;
  ctx.respond = false;
  const isLarge = text.length >= LARGE_BODY_CHARACTERS && ctx.method !== 'HEAD';
  const body = isLarge ? Buffer.from(text) : text;
  const headers = finalHeaders(ctx);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(body));
  res.writeHead(status, headers);
  if (typeof body === 'string') res.end(body);
  else void writeBytes(res, body);
};
