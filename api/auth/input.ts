/** Request bodies of the sign-in endpoints. */
import { z } from 'zod';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { Email } from '../users/input.ts';

/** Request body of a sign-in. */
export const SignInInput = z.object({ email: Email, password: z.string().min(1).max(INPUT_LIMITS.password) });

/** Request body of a visitor's sign-in. Deployed clients also send a `password`, which is ignored. */
export const VisitorInput = z.object({
  id_project: z.string().min(1).max(100).meta({ description: 'Id of the project' }),
  firstname: z
    .string()
    .trim()
    .max(INPUT_LIMITS.personName)
    .optional()
    .meta({ description: 'Default: `guest#` followed by four characters' }),
  lastname: z.string().trim().max(INPUT_LIMITS.personName).optional(),
  email: Email.optional(),
  attributes: FreeObject.optional(),
});
