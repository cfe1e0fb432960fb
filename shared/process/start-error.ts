/** Ends a process that cannot start. */
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';

/**
 * Returns a handler for the error that kept a process from starting, for example because MongoDB cannot be reached. The
 * handler logs the error in one line and exits with code 1. `name` is the name of the process in the log.
 */
export const exitOnStartError =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof AppError) logger.fatal(error.message);
    else logger.fatal({ err: error }, `${name} failed to start`);
    process.exit(1);
  };
