/** Converts failures of an AI provider into errors, and decides which to retry. */
import { APIError } from 'openai/error';
import { AppError } from '../errors.ts';
import { parseRetryAfterMs } from '../time/retry-after.ts';

const MAX_DETAIL_CHARACTERS = 300;
const TRANSIENT_STATUSES = new Set([408, 409, 429]);
const CREDENTIAL_STATUSES = new Set([401, 403]);

/** The error to report, and whether a retry may succeed. */
export interface ProviderFailure {
  error: AppError;
  transient: boolean;
  /** How long the provider asks callers to wait before they retry. */
  retryAfterSeconds?: number;
}

/** The provider rejected the call with the HTTP status `providerStatus`. */
export class ProviderRefusalError extends AppError {
  readonly providerStatus: number;

  constructor(providerStatus: number, message: string) {
    super(502, 'AI_REQUEST_REJECTED', message);
    this.providerStatus = providerStatus;
  }
}

/** The time after which a caller should try again. */
const RETRY_AFTER_SECONDS = '5';

/** The provider is down, overloaded or unreachable; a retry may succeed. */
export const unavailableError = (reason: string) =>
  new AppError(503, 'AI_UNAVAILABLE', `The AI provider is unavailable: ${reason}`).with({
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });

/** The provider exceeded the time limit. */
export const timeoutError = (reason: string) =>
  new AppError(504, 'AI_TIMEOUT', `The AI provider took too long: ${reason}`);

/** The provider's answer is not usable. */
export const badAnswerError = (reason: string) =>
  new AppError(502, 'AI_BAD_ANSWER', `The AI provider's answer is not usable: ${reason}`);

/** Whether an error means that the provider's answer is not usable. */
export const isBadAnswer = (error: unknown) => error instanceof AppError && error.code === 'AI_BAD_ANSWER';

/**
 * Whether an error means that the provider is unavailable or that a call has timed out. After such an error, background
 * work is retried later.
 */
export const isOutage = (error: unknown) =>
  error instanceof AppError && (error.code === 'AI_UNAVAILABLE' || error.code === 'AI_TIMEOUT');

const shortMessage = (error: APIError) => error.message.slice(0, MAX_DETAIL_CHARACTERS);

const refusalError = (error: APIError, status: number) =>
  CREDENTIAL_STATUSES.has(status)
    ? new ProviderRefusalError(
        status,
        `The AI provider rejected the API key (${status}): check the key in the settings`,
      )
    : new ProviderRefusalError(status, `The AI provider rejected the call: ${shortMessage(error)}`);

const failureOfStatus = (error: APIError, status: number): ProviderFailure => {
  const isQuotaSpent = error.code === 'insufficient_quota';
  const transient = !isQuotaSpent && (TRANSIENT_STATUSES.has(status) || status >= 500);
  if (!transient) return { error: refusalError(error, status), transient };
  const retryAfterMs = parseRetryAfterMs(error.headers?.get('retry-after'));
  return {
    error: unavailableError(shortMessage(error)),
    transient,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: retryAfterMs / 1000 }),
  };
};

/** If the connection breaks while a body is read, the client throws a TypeError whose cause is the socket error. */
const isBrokenConnection = (error: unknown) => error instanceof TypeError && error.cause !== undefined;

/** Converts an error of the provider's client, and leaves an `AppError` unchanged; rethrows any other error. */
export const toProviderFailure = (error: unknown): ProviderFailure => {
  if (error instanceof AppError) return { error, transient: false };
  if (error instanceof APIError)
    return error.status === undefined
      ? { error: unavailableError(shortMessage(error)), transient: true }
      : failureOfStatus(error, error.status);
  if (isBrokenConnection(error)) return { error: unavailableError('the connection broke'), transient: true };
  if (error instanceof SyntaxError) return { error: badAnswerError('it is not JSON'), transient: true };
  throw error;
};
