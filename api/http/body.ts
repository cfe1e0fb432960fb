import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { tooLarge } from './errors.ts';

const LIMITS = { normal: config.JSON_BODY_LIMIT, bulk: config.BULK_BODY_LIMIT };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const parserOf = (limit: number) =>
  koaBody({ jsonLimit: limit, formLimit: limit, text: false, multipart: false, parsedMethods: METHODS as never });

const parsers = { normal: parserOf(LIMITS.normal), bulk: parserOf(LIMITS.bulk) };

/** What the parser refused: too much, an unknown encoding, or no JSON; null for what is no fault of the caller. */
const refusal = (error: unknown, limit: number): AppError | null => {
  const { status, code = '' } = error as { status?: number; code?: string };
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new AppError(415, 'UNSUPPORTED_ENCODING', 'The encoding of the body is not supported');
  const broken = status === 400 || error instanceof SyntaxError || code.startsWith('Z_');
  return broken ? new AppError(400, 'BAD_JSON', 'The body is not well-formed JSON') : null;
};

/** Levels of a body. More than any endpoint takes, and few enough for whatever goes through a value by recursion. */
const MAX_DEPTH = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** 422 that names the field: a body is bounded before anything validates it. */
const refuseDeep = (body: object): void => {
  const [field] = Object.entries(body).find(([, value]) => isDeeper(value, MAX_DEPTH - 1)) ?? [];
  if (field === undefined) return;
  const text = `${field} must be nested at most ${MAX_DEPTH} levels deep`;
  throw new AppError(422, 'INVALID', text).with({
    body: { errors: [{ path: field, code: 'too_deep', message: text, param: field, msg: text, location: 'body' }] },
  });
};

/**
 * The body as JSON or form; `{}` for an empty one. Errors: 400 for broken JSON, 413 over the limit,
 * 415 for an encoding nobody can read (contract a 0.1).
 */
export const readBody = async (ctx: Context, size: Endpoint['size'] = 'normal'): Promise<unknown> => {
  try {
    await parsers[size](ctx, async () => {});
  } catch (error) {
    throw refusal(error, LIMITS[size]) ?? error;
  }
  const body = (ctx.request.body ?? {}) as object;
  refuseDeep(body);
  return body;
};
