/** The body of an error response of the API. */
interface ErrorBody {
  error?: string | { msg: string };
  code?: string | number;
  errors?: { path: string; message: string; location: string }[];
  next?: string;
}

/** An error response of the API. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The stable code of the error, for example `INVALID`. */
  readonly code: string | number | undefined;
  /** The invalid fields, if any. */
  readonly errors: NonNullable<ErrorBody['errors']>;
  /** The correlation id of the call, for finding it in the logs. */
  readonly requestId: string | null;
  /** With status 410: the cursor to continue from. */
  readonly next: string | undefined;

  constructor({ status, headers }: Response, body: ErrorBody) {
    const text = typeof body.error === 'object' ? body.error.msg : body.error;
    super(text ?? `The API answered ${status}`);
    this.status = status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.requestId = headers.get('x-request-id');
    this.next = body.next;
  }
}
