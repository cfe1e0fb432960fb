import { z } from 'zod';
import { config } from '#shared/config.ts';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';

const Email = z.email().max(LIMITS.email).toLowerCase().meta({ description: 'Kept in lower case' });
const Name = z.string().trim().min(1).max(LIMITS.personName);

/** Body of sign-up (contract a 3.2, decision 37). */
export const SignUpInput = z.object({
  email: Email,
  password: z.string().min(config.PASSWORD_MIN_LENGTH).max(LIMITS.password),
  firstname: Name,
  lastname: Name,
  phone: z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/)
    .optional()
    .meta({ description: 'E.164' }),
});

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
