import { mongo } from 'mongoose';
import { isUnavailable } from '#shared/database/unavailable.ts';

/**
 * Whether an error is caused by an unavailable database, so that a retry may succeed. False if MongoDB rejects the
 * operation itself.
 */
export const isTransientError = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof mongo.MongoError && !(error instanceof mongo.MongoServerError));
