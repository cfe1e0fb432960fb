/** Errors on the wire: the contract's body for what the caller can act on, a logged 500 for the rest. */
import type { Context, Next } from 'koa';
import type { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { sentence } from '#shared/sentences.ts';
import { isUnavailable } from '#shared/unavailable.ts';
import { wire } from '#shared/wire-profile.ts';

/** One rejected value, in both shapes known clients read (decision 5). */
interface FieldError {
  path: string;
  code: string;
  message: string;
  param: string;
  msg: string;
  location: 'body' | 'query' | 'params';
  value?: unknown;
}

const SECRET = /passw|secret|token|key|psw/i;

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value === null || typeof value !== 'object' ? undefined : Reflect.get(value, key)),
    input,
  );

const fieldError = (issue: z.core.$ZodIssue, location: FieldError['location'], input: unknown): FieldError => {
  const path = issue.path.map(String).join('.');
  const value = valueAt(input, issue.path);
  const shown =
    !SECRET.test(path) && ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 200;
  const { code } = issue;
  const message = sentence(path || `The ${location}`, issue.message);
  return { path, code, message, param: path, msg: message, location, ...(shown ? { value } : {}) };
};

/** Wrong fields told of in one answer. */
const MOST_ERRORS = 100;

/** 422 that names the fields that are wrong. */
export const invalid = (error: z.ZodError, location: FieldError['location'], input: unknown): AppError => {
  const errors = error.issues.slice(0, MOST_ERRORS).map((issue) => fieldError(issue, location, input));
  const text = errors.map(({ message }) => message).join('; ');
  return new AppError(422, 'INVALID', text).with({ body: { errors } });
};

/** 401 as decision 55 has it. */
export const unauthorized = (realm = 'Users') =>
  new AppError(401, 'UNAUTHORIZED', 'Unauthorized').with({ headers: { 'WWW-Authenticate': `Basic realm="${realm}"` } });

/** 403 of somebody who is no member of the path's project (decision 6). */
export const notMember = () => new AppError(403, 'NOT_MEMBER', 'you dont belong to the project.');

/** 403 of a member whose role is too low. */
export const roleTooLow = () => new AppError(403, 'ROLE_TOO_LOW', 'you dont have the required role.');

/** 413 for a body of more bytes than are taken. */
export const tooLarge = (limit: number) =>
  new AppError(413, 'TOO_LARGE', 'Request entity too large').with({ body: { err: 'Request entity too large', limit } });

/** The fields of a 422, with what this profile has in `msg`. */
const fieldsIn = ({ errors }: { errors?: unknown }) => {
  if (!wire.fieldMessage || !Array.isArray(errors)) return {};
  return { errors: errors.map((field) => (typeof field === 'object' ? { ...field, msg: wire.fieldMessage } : field)) };
};

/** The body of every error, with both names of the text. */
export const bodyOf = ({ status, message, code, body }: AppError) => ({
  success: false,
  error: message,
  msg: message,
  code,
  ...body,
  ...(status === 422 && fieldsIn(body ?? {})),
});

const RETRY_AFTER_S = 2;
const QUIET_MS = 10_000;
let lastWarning = Number.NEGATIVE_INFINITY;

/** One line in ten seconds, without a stack: each call fails while a service is unavailable. */
const warnUnavailable = (error: unknown): void => {
  if (Date.now() - lastWarning < QUIET_MS) return;
  lastWarning = Date.now();
  const { name, message } = error as Error;
  logger.warn({ name, reason: message }, 'calls answer 503: MongoDB or Redis is unavailable');
};

/** Log what broke an answer whose head was sent. */
export const logBroken = (error: unknown, text: string): void => {
  if (isUnavailable(error)) warnUnavailable(error);
  else logger.error({ err: error }, text);
};

/** What escaped a handler, as an answer: 503 while a service is unavailable, a logged 500 without details for a defect. */
export const answerable = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  logBroken(error, 'unforeseen error');
  if (!isUnavailable(error)) return new AppError(500, 'INTERNAL', 'Internal error');
  return new AppError(503, 'UNAVAILABLE', `The database is unavailable; try again in ${RETRY_AFTER_S} s`).with({
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
};

/** Turn whatever is thrown below into JSON. */
export const catchErrors = async (ctx: Context, next: Next): Promise<void> => {
  try {
    await next();
  } catch (error) {
    const answer = answerable(error);
    ctx.status = answer.status;
    ctx.set(answer.headers);
    ctx.body = bodyOf(answer);
  }
};
