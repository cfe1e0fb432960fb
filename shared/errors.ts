/** The error that callers can act on, and the functions that build its common forms. */

/**
 * An error that is sent to the caller or ends a job. It has an HTTP status, a stable code, and a message that explains
 * what to change.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  /**
   * Fields added to the error body; they override the standard fields, for endpoints whose clients expect other values.
   */
  body: Record<string, unknown> = {};
  headers: Record<string, string> = {};

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'AppError';
    this.status = status;
    this.code = code;
  }

  /** Adds fields to the body and headers to the response. Returns this error. */
  with({ body = {}, headers = {} }: { body?: object; headers?: Record<string, string> }): this {
    this.body = { ...this.body, ...body };
    this.headers = { ...this.headers, ...headers };
    return this;
  }

  /** Adds the seconds to wait: `retry_after` in the body, and the `Retry-After` header. Returns this error. */
  retryAfter(seconds: number): this {
    return this.with({ body: { retry_after: seconds }, headers: { 'Retry-After': String(seconds) } });
  }
}

interface InvalidParameter {
  path: string;
  /** What is wrong with the value; for query parameters, a sentence that names the parameter. */
  message: string;
  location: 'body' | 'query' | 'headers';
  code?: string;
  /** The rejected value. */
  value?: unknown;
}

/** Deployed clients read either `path` and `message`, or `param` and `msg`. */
const errorsBody = ({ path, message, code = 'custom', ...rest }: InvalidParameter) => ({
  errors: [{ path, param: path, code, message, msg: message, ...rest }],
});

/** Returns a 422 error for one parameter of a request. */
export const invalidParameter = (parameter: InvalidParameter) =>
  new AppError(422, 'INVALID', parameter.message).with({ body: errorsBody(parameter) });

/**
 * Returns a 422 error for one field of a body. `path` names the field, and `message` describes what is wrong with its
 * value.
 */
export const invalidField = (path: string, message: string, code?: string) =>
  new AppError(422, 'INVALID', path ? `${path}: ${message}` : message).with({
    body: errorsBody({ path, message, code, location: 'body' }),
  });

/**
 * Returns a 404 error for a missing record. A record of another project causes the same error, so ids cannot be probed.
 */
export const notFound = (message: string) => new AppError(404, 'NOT_FOUND', message);

/** Runs `work`, and resolves to null if it throws a 404 error, which means that the record has been deleted. */
export const unlessNotFound = async <T>(work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
};
