import { mongo } from 'mongoose';
import { isUnavailable } from '#shared/database/unavailable.ts';

/**
 * Whether an error means that a database is unavailable, so that a retry may succeed. False if MongoDB has rejected the
 * operation itself.
 */
export const isTransientError = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof mongo.MongoError && !(error instanceof mongo.MongoServerError));
