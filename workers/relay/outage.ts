import { mongo } from 'mongoose';

/** The database is going, or no primary: interrupted, shut down, stepped down, unreachable. */
const AWAY = new Set([6, 7, 43, 89, 91, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** True where the database is away and the same may work later; false where it refuses this very call. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof mongo.MongoError)) return false;
  return !(error instanceof mongo.MongoServerError) || AWAY.has(Number(error.code));
};
