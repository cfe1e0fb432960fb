/** Two ways to say no that a plain schema does not have. */
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';

/** Error of a schema whose refusal known clients read by status and text: thrown at once, not gathered into a 422. */
export const refusedWith = (status: number, text: string) => ({
  error: (): never => {
    throw new AppError(status, 'INVALID', text);
  },
});

/** An option of the contract that does nothing here: refused rather than ignored, unless it is off anyway (decision 5). */
export const unsupported = (error = 'is not supported') => z.literal([false, 'false', '', null], { error }).optional();
