/** Schema refinements with errors that a plain schema does not provide. */
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';

/** Schema error that is thrown at once with this status and text instead of 422; deployed clients rely on both. */
export const rejectWith = (status: number, text: string) => ({
  error: (): never => {
    throw new AppError(status, 'INVALID', text);
  },
});

/** An option that is not supported: rejected unless it is off, because ignoring it would mislead the caller. */
export const unsupportedOption = (error = 'is not supported') =>
  z.literal([false, 'false', '', null], { error }).optional();
