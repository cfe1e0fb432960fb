/** Schemas and schema parameters for errors that plain schemas do not produce. */
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';

/**
 * Returns a parameter for a Zod schema: invalid input throws an error with the given status and text instead of 422,
 * because deployed clients rely on them.
 */
export const rejectWith = (status: number, text: string) => ({
  error: (): never => {
    throw new AppError(status, 'INVALID', text);
  },
});

/** Schema of an unsupported option. Accepts only false and empty values, because the option has no effect. */
export const unsupportedOption = (error = 'is not supported') =>
  z.literal([false, 'false', '', null], { error }).optional();
