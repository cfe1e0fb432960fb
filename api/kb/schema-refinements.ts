/** Schema refinements with errors that a plain schema does not provide. */
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';

/** Returns a schema option that throws an error of this status and text, which deployed clients rely on, not 422. */
export const rejectWith = (status: number, text: string) => ({
  error: (): never => {
    throw new AppError(status, 'INVALID', text);
  },
});

/** Schema of an unsupported option. Accepts only false or empty values: ignoring others would mislead the caller. */
export const unsupportedOption = (error = 'is not supported') =>
  z.literal([false, 'false', '', null], { error }).optional();
