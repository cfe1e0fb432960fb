/** What a caller can act on. */

/** An answer or a final end of a job: HTTP status, a stable code, and a text that names what to change (contract 7). */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  /** Fields laid over the contract's error body, for endpoints whose clients read others. */
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, more: { body?: object; headers?: Record<string, string> } = {}) {
    super(message);
    this.name = 'AppError';
    this.status = status;
    this.code = code;
    this.body = { ...more.body };
    this.headers = more.headers ?? {};
  }
}

/** A record that is not there, or not this project's (decision 6). */
export const notFound = (message: string) => new AppError(404, 'NOT_FOUND', message);
