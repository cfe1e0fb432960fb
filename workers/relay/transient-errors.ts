import { mongo } from 'mongoose';
import { isUnavailable } from '#shared/database/unavailable.ts';

/**
 * Whether a retry may succeed, because a database is unavailable or the error comes from the driver. False if MongoDB
 * has rejected the operation itself.
 */
export const isTransientError = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof mongo.MongoError && !(error instanceof mongo.MongoServerError));
