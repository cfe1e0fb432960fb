/** Parses request bodies. */
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { config } from '#shared/config.ts';
import { AppError, invalidParameter } from '#shared/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { tooLarge } from '../response/errors.ts';

const BODY_LIMITS = { normal: config.JSON_BODY_LIMIT, bulk: config.BULK_BODY_LIMIT };
const PARSED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const createParser = (limit: number) =>
  koaBody({
    jsonLimit: limit,
    formLimit: limit,
    text: false,
    multipart: false,
    parsedMethods: PARSED_METHODS as never,
  });

const parsers = { normal: createParser(BODY_LIMITS.normal), bulk: createParser(BODY_LIMITS.bulk) };

/** Maps an error of the parser to 413, 415 or 400; null for any other error. */
const parserError = (error: unknown, limit: number): AppError | null => {
  const { status, code = '' } = error as { status?: number; code?: string };
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new AppError(415, 'UNSUPPORTED_ENCODING', 'The encoding of the body is not supported');
  const isMalformed = status === 400 || error instanceof SyntaxError || code.startsWith('Z_');
  return isMalformed ? new AppError(400, 'BAD_JSON', 'The body is not well-formed JSON') : null;
};

/** Maximum time to receive a body. */
const BODY_TIMEOUT_MS = 60_000;

/** Closes the connection if the body is not received in time. */
const withTimeLimit = async (ctx: Context, read: () => Promise<unknown>): Promise<void> => {
  const timer = setTimeout(() => ctx.req.destroy(), BODY_TIMEOUT_MS);
  try {
    await read();
  } finally {
    clearTimeout(timer);
  }
};

/** Maximum nesting of a body: more than any endpoint accepts, and safe for recursive functions. */
const MAX_BODY_DEPTH = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Throws 422 for a field that is nested too deeply. Must run before validation, which is recursive. */
export const assertBodyDepth = (body: object): void => {
  const [field] = Object.entries(body).find(([, value]) => isDeeper(value, MAX_BODY_DEPTH - 1)) ?? [];
  if (field === undefined) return;
  const message = `${field} must be nested at most ${MAX_BODY_DEPTH} levels deep`;
  throw invalidParameter({ path: field, message, location: 'body', code: 'too_deep' });
};

/**
 * Reads the body as JSON or as a form; returns `{}` for an empty one. Throws 400 for malformed JSON, 413 above the size
 * limit, 415 for an unsupported encoding, 422 for deep nesting.
 */
export const readBody = async (ctx: Context, size: Endpoint['bodySize'] = 'normal'): Promise<unknown> => {
  try {
    await withTimeLimit(ctx, () => parsers[size](ctx, async () => {}));
  } catch (error) {
    throw parserError(error, BODY_LIMITS[size]) ?? error;
  }
  const body = (ctx.request.body ?? {}) as object;
  assertBodyDepth(body);
  return body;
};
