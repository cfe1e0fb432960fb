/** What a caller can act on. */

/** An answer or a final end of a job: HTTP status, a stable code, and a text that names what to change (contract 7). */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  /** Fields laid over the contract's error body, for endpoints whose clients read others. */
  body: Record<string, unknown> = {};
  headers: Record<string, string> = {};

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'AppError';
    this.status = status;
    this.code = code;
  }

  /** The same error with more to say on the wire. */
  with({ body = {}, headers = {} }: { body?: object; headers?: Record<string, string> }): this {
    this.body = { ...this.body, ...body };
    this.headers = { ...this.headers, ...headers };
    return this;
  }
}

/** 422 for one field of a body: the path of the field, and what is wrong with its value. */
export const invalidField = (path: string, message: string, code = 'custom') =>
  new AppError(422, 'INVALID', path ? `${path}: ${message}` : message).with({
    body: { errors: [{ path, param: path, code, message, msg: message, location: 'body' }] },
  });

/** A record that is not there, or not this project's (decision 6). */
export const notFound = (message: string) => new AppError(404, 'NOT_FOUND', message);
