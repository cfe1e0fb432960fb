import { z } from 'zod';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';
import { Email } from '../users/input.ts';

/** Body of sign-in. */
export const SignInInput = z.object({ email: Email, password: z.string().min(1).max(LIMITS.password) });

/** Body of a visitor's sign-in (contract a 3.5); a `password` is accepted and has no meaning. */
export const VisitorInput = z.object({
  id_project: z.string().min(1).max(100).meta({ description: 'The project visited' }),
  firstname: z
    .string()
    .trim()
    .max(LIMITS.personName)
    .optional()
    .meta({ description: 'Default `guest#` and four characters' }),
  lastname: z.string().trim().max(LIMITS.personName).optional(),
  email: Email.optional(),
  attributes: FreeObject.optional(),
});
