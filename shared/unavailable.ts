/** Tells whether an error means that MongoDB or Redis is unavailable, as the drivers of both report it: the same call may succeed later. */
import { mongo } from 'mongoose';

/** The driver, or the server, says that the operation may be repeated. */
const LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableError',
  'SystemOverloadedError',
  'PoolRequestedRetry',
  'ResetPool',
];

/**
 * Codes of MongoDB: those of which the driver repeats a read, then MaxTimeMSExpired, CursorNotFound, CursorKilled,
 * WriteConcernTimeout, UnsatisfiableWriteConcern, FailedToSatisfyReadPreference, and those of a node in another state.
 */
const CODES = new Set([
  ...[6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436],
  ...[50, 43, 237, 64, 100, 133, 63, 150, 13_388, 10_058, 384],
]);

const LEGACY_TEXT = /not master|node is recovering/i;

/** Errors that the driver makes by itself when a connection, a session or the server is gone. */
const LOST_CONNECTION = [
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

/** Errors of a socket that broke, and of a stream that was written to after that. */
const SOCKET_CODE =
  /^(EPIPE|ECONN(RESET|REFUSED|ABORTED)|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN|RESET)|ENOTCONN|EAI_AGAIN|ENOTFOUND|ERR_STREAM_(DESTROYED|WRITE_AFTER_END|PREMATURE_CLOSE)|ERR_SOCKET_CLOSED)$/;

const NAMES = new Set([
  'MongooseServerSelectionError',
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
  'ConnectionClosedError',
]);

/** What ioredis, its parser, BullMQ and the rate limiter say in errors without a code. */
const TEXT =
  /^Connection is closed|^Stream isn't writeable|^Command timed out|command aborted|connection was closed|^Redis connection is not ready|buffering timed out|^Socket closed unexpectedly/i;

/** Replies of a Redis that cannot serve at present. */
const REPLY = /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|OOM|BUSY|UNBLOCKED)\b/;

interface Fields {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  writeConcernErrors?: unknown;
  result?: { writeConcernError?: unknown };
}

const isOfMongo = (error: Error): boolean => {
  if (!(error instanceof mongo.MongoError)) return false;
  if (LOST_CONNECTION.some((kind) => error instanceof kind)) return true;
  return LABELS.some((label) => error.hasErrorLabel(label)) || LEGACY_TEXT.test(error.message);
};

const isOfRedis = (name: string, message: string): boolean =>
  (name === 'ReplyError' && REPLY.test(message)) ||
  (/^(Error|AbortError|InterruptError|MongooseError)$/.test(name) && TEXT.test(message));

/** The errors within an error. */
const within = ({ cause, errors, writeConcernErrors, result }: Fields): unknown[] => [
  cause,
  ...(Array.isArray(errors) ? errors : []),
  ...(Array.isArray(writeConcernErrors) ? writeConcernErrors : []),
  result?.writeConcernError,
];

const DEPTH = 5;

const says = (error: Fields): boolean => {
  const { name = '', code, message = '' } = error;
  const isCodeOfMongo = error instanceof mongo.MongoError || !(error instanceof Error);
  if (isCodeOfMongo && typeof code === 'number' && CODES.has(code)) return true;
  if (SOCKET_CODE.test(String(code)) || NAMES.has(String(name))) return true;
  return (error instanceof Error && isOfMongo(error)) || isOfRedis(String(name), String(message));
};

/** True where MongoDB or Redis is unavailable; false where it refused this very call. */
export const isUnavailable = (error: unknown, depth = DEPTH): boolean => {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  return says(error) || within(error).some((inner) => isUnavailable(inner, depth - 1));
};
