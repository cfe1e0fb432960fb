/**
 * Turns errors into responses. The response to an `AppError` has its message and body. Any other error is logged and
 * becomes a 500 or 503 without details.
 */
import type { z } from 'zod';
import { isUnavailable } from '#shared/database/unavailable.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { sentence } from '#shared/wire/validation-messages.ts';

/** A rejected value. Deployed clients read either `path` and `message`, or `param` and `msg`. */
interface FieldError {
  path: string;
  code: string;
  message: string;
  param: string;
  msg: string;
  location: 'body' | 'query' | 'params';
  value?: unknown;
}

const SECRET_FIELD = /passw|secret|token|key|psw/i;

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value === null || typeof value !== 'object' ? undefined : Reflect.get(value, key)),
    input,
  );

const fieldError = (issue: z.core.$ZodIssue, location: FieldError['location'], input: unknown): FieldError => {
  const path = issue.path.map(String).join('.');
  const value = valueAt(input, issue.path);
  const showsValue =
    !SECRET_FIELD.test(path) && ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 200;
  const { code } = issue;
  const message = sentence(path || `The ${location}`, issue.message);
  return { path, code, message, param: path, msg: message, location, ...(showsValue ? { value } : {}) };
};

/** Maximum number of field errors in one response. */
const MAX_FIELD_ERRORS = 100;

/** Creates a 422 error with an entry in `errors` per invalid field. The values of fields with secrets are omitted. */
export const validationError = (error: z.ZodError, location: FieldError['location'], input: unknown): AppError => {
  const errors = error.issues.slice(0, MAX_FIELD_ERRORS).map((issue) => fieldError(issue, location, input));
  const text = errors.map(({ message }) => message).join('; ');
  return new AppError(422, 'INVALID', text).with({ body: { errors } });
};

/** Creates a 401 error with the header that makes a browser prompt for credentials. */
export const unauthorized = (realm = 'Users') =>
  new AppError(401, 'UNAUTHORIZED', 'Unauthorized').with({ headers: { 'WWW-Authenticate': `Basic realm="${realm}"` } });

/** Creates the 403 error for an actor that is not a member of the project. Deployed clients rely on the text. */
export const notMember = () => new AppError(403, 'NOT_MEMBER', 'you dont belong to the project.');

/** Creates the 403 error for a member whose role is too low. Deployed clients rely on the text. */
export const roleTooLow = () => new AppError(403, 'ROLE_TOO_LOW', 'you dont have the required role.');

/** Creates the 413 error for a body larger than `limit` bytes. */
export const tooLarge = (limit: number) =>
  new AppError(413, 'TOO_LARGE', 'Request entity too large').with({ body: { err: 'Request entity too large', limit } });

/**
 * Returns the `errors` of a 422, each with the `msg` of the wire profile (`docs/wire-profiles.md`); `{}` if there are
 * no `errors` or the profile has no `msg`.
 */
const profileFields = ({ errors }: { errors?: unknown }) => {
  if (!compatibility.fieldMessage || !Array.isArray(errors)) return {};
  return {
    errors: errors.map((field) => (typeof field === 'object' ? { ...field, msg: compatibility.fieldMessage } : field)),
  };
};

/** The JSON body of an error. `error` and `msg` both contain the message, because deployed clients read either. */
export const errorBody = ({ status, message, code, body }: AppError) => ({
  success: false,
  error: message,
  msg: message,
  code,
  ...body,
  ...(status === 422 && profileFields(body ?? {})),
});

const RETRY_AFTER_S = 2;
const WARNING_INTERVAL_MS = 10_000;
let lastWarningAt = Number.NEGATIVE_INFINITY;

/** Logs at most one line every ten seconds, because every request fails while a service is unavailable. */
const warnUnavailable = (error: unknown): void => {
  if (performance.now() - lastWarningAt < WARNING_INTERVAL_MS) return;
  lastWarningAt = performance.now();
  const { name, message } = error as Error;
  logger.warn({ name, reason: message }, 'requests return 503: MongoDB or Redis is unavailable');
};

/** Logs an error whose details no response contains, such as one that occurs after the headers have been sent. */
export const logFailure = (error: unknown, text: string): void => {
  if (isUnavailable(error)) warnUnavailable(error);
  else logger.error({ err: error }, text);
};

/**
 * Converts any thrown value to an `AppError`. An error that is not an `AppError` is logged; it becomes a 503 while a
 * service is unavailable, otherwise a 500 without details.
 */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  logFailure(error, 'unhandled error');
  if (!isUnavailable(error)) return new AppError(500, 'INTERNAL', 'Internal error');
  return new AppError(503, 'UNAVAILABLE', `A service is unavailable; try again in ${RETRY_AFTER_S} s`).with({
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
};
