import { mongo } from 'mongoose';
import { isUnavailable } from '#shared/unavailable.ts';

/** True where the database is unavailable and the same may work later; false where it refuses this very call. */
export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof mongo.MongoError && !(error instanceof mongo.MongoServerError));
