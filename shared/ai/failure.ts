/** What a provider's failure means for us: try again, or say truthfully what is wrong. */
import { APIError } from 'openai/error';
import { AppError } from '#shared/errors.ts';

const MAX_DETAIL = 300;
const PASSING = new Set([408, 409, 429]);
const CREDENTIALS = new Set([401, 403]);

/** A failure as it is answered, and whether a later call may do better. */
export interface Failure {
  error: AppError;
  passing: boolean;
  /** Seconds the provider asks to wait, if it does. */
  retryAfter?: number;
}

/** A refusal, with the provider's own status. */
export class ProviderRefusal extends AppError {
  readonly providerStatus: number;

  constructor(providerStatus: number, message: string) {
    super(502, 'AI_REFUSED', message);
    this.providerStatus = providerStatus;
  }
}

/** The provider is down, overloaded or not reachable; later may do. */
export const unavailable = (why: string) =>
  new AppError(503, 'AI_UNAVAILABLE', `The AI provider can not answer now: ${why}`);

/** The provider took longer than it may. */
export const timedOut = (why: string) => new AppError(504, 'AI_TIMEOUT', `The AI provider took too long: ${why}`);

/** The provider answered with something that can not be used. */
export const badAnswer = (why: string) =>
  new AppError(502, 'AI_BAD_ANSWER', `The AI provider's answer can not be used: ${why}`);

/** True for failures that pass by themselves, so that work is tried again later rather than ended. */
export const isOutage = (error: unknown) =>
  error instanceof AppError && (error.code === 'AI_UNAVAILABLE' || error.code === 'AI_TIMEOUT');

const secondsOf = (header: string | null | undefined) => {
  if (!header) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
};

const detail = (error: APIError) => error.message.slice(0, MAX_DETAIL);

const refused = (error: APIError, status: number) =>
  CREDENTIALS.has(status)
    ? new ProviderRefusal(status, `The AI provider refuses our key (${status}): check OPENAI_API_KEY`)
    : new ProviderRefusal(status, `The AI provider refuses the call: ${detail(error)}`);

const ofStatus = (error: APIError, status: number): Failure => {
  const spent = error.code === 'insufficient_quota';
  const passing = !spent && (PASSING.has(status) || status >= 500);
  if (!passing) return { error: refused(error, status), passing };
  return { error: unavailable(detail(error)), passing, retryAfter: secondsOf(error.headers?.get('retry-after')) };
};

/** A body that broke off shows as a TypeError with the socket's error as cause. */
const brokeOff = (error: unknown) => error instanceof TypeError && error.cause !== undefined;

/** The meaning of an error; one that is not the provider's doing is thrown as it is. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof AppError) return { error, passing: false };
  if (error instanceof APIError)
    return error.status === undefined
      ? { error: unavailable(detail(error)), passing: true }
      : ofStatus(error, error.status);
  if (brokeOff(error)) return { error: unavailable('the connection broke'), passing: true };
  if (error instanceof SyntaxError) return { error: badAnswer('it is not JSON'), passing: true };
  throw error;
};
