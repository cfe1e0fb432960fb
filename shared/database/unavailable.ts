/** Recognizes the errors of the MongoDB and Redis drivers that mean "unavailable": the same call may succeed later. */
import { mongo } from 'mongoose';

/** Error labels with which the driver or the server marks an operation as retryable. */
const RETRYABLE_LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableError',
  'SystemOverloadedError',
  'PoolRequestedRetry',
  'ResetPool',
];

/**
 * MongoDB error codes: first those after which the driver retries a read; then MaxTimeMSExpired, CursorNotFound,
 * CursorKilled, WriteConcernTimeout, UnsatisfiableWriteConcern, FailedToSatisfyReadPreference, and errors about
 * outdated routing information or the state of a node.
 */
const MONGODB_CODES = new Set([
  ...[6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436],
  ...[50, 43, 237, 64, 100, 133, 63, 150, 13_388, 10_058, 384],
]);

const LEGACY_MESSAGE = /not master|node is recovering/i;

/** Errors that the driver creates when a connection, a session or the server is lost. */
const LOST_CONNECTION_ERRORS = [
  mongo.MongoNetworkError,
  mongo.MongoSystemError,
  mongo.MongoNotConnectedError,
  mongo.MongoServerClosedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoStalePrimaryError,
];

/** Codes of network errors, and of errors in writes to the stream of a lost socket. */
const SOCKET_CODE =
  /^(EPIPE|ECONN(RESET|REFUSED|ABORTED)|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN|RESET)|ENOTCONN|EAI_AGAIN|ENOTFOUND|ERR_STREAM_(DESTROYED|WRITE_AFTER_END|PREMATURE_CLOSE)|ERR_SOCKET_CLOSED)$/;

const ERROR_NAMES = new Set([
  'MongooseServerSelectionError',
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
  'ConnectionClosedError',
]);

/** Messages of errors without a code, from ioredis, its parser, BullMQ and the rate limiter. */
const REDIS_MESSAGE =
  /^Connection is closed|^Stream isn't writeable|^Command timed out|command aborted|connection was closed|^Redis connection is not ready|buffering timed out|^Socket closed unexpectedly/i;

/** Error replies of a Redis server that temporarily cannot serve calls. */
const REDIS_REPLY = /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|OOM|BUSY|UNBLOCKED)\b/;

interface ErrorFields {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  /** In the error of a bulk write: the error that made the write fail, for example a lost connection. */
  errorResponse?: unknown;
  writeConcernErrors?: unknown;
  result?: { writeConcernError?: unknown };
}

const isMongoUnavailable = (error: Error): boolean => {
  if (!(error instanceof mongo.MongoError)) return false;
  if (LOST_CONNECTION_ERRORS.some((kind) => error instanceof kind)) return true;
  return RETRYABLE_LABELS.some((label) => error.hasErrorLabel(label)) || LEGACY_MESSAGE.test(error.message);
};

const isRedisUnavailable = (name: string, message: string): boolean =>
  (name === 'ReplyError' && REDIS_REPLY.test(message)) ||
  (/^(Error|AbortError|InterruptError|MongooseError)$/.test(name) && REDIS_MESSAGE.test(message));

/** The errors that an error contains. */
const nestedErrors = ({ cause, errors, errorResponse, writeConcernErrors, result }: ErrorFields): unknown[] => [
  cause,
  errorResponse,
  ...(Array.isArray(errors) ? errors : []),
  ...(Array.isArray(writeConcernErrors) ? writeConcernErrors : []),
  result?.writeConcernError,
];

const MAX_CAUSE_DEPTH = 5;

const meansUnavailable = (error: ErrorFields): boolean => {
  const { name = '', code, message = '' } = error;
  const isCodeOfMongo = error instanceof mongo.MongoError || !(error instanceof Error);
  if (isCodeOfMongo && typeof code === 'number' && MONGODB_CODES.has(code)) return true;
  if (SOCKET_CODE.test(String(code)) || ERROR_NAMES.has(String(name))) return true;
  return (error instanceof Error && isMongoUnavailable(error)) || isRedisUnavailable(String(name), String(message));
};

/** Whether an error means that MongoDB or Redis is unavailable; false if the server rejected this particular call. */
export const isUnavailable = (error: unknown, depth = MAX_CAUSE_DEPTH): boolean => {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  return meansUnavailable(error) || nestedErrors(error).some((inner) => isUnavailable(inner, depth - 1));
};
