/** Instance administrators: the accounts whose email address is verified and listed in the setting OPERATORS. */
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import type { Actor } from './authenticate.ts';

const adminEmails = new Set(config.OPERATORS.map((email) => email.toLowerCase()));

/** Whether the actor is an instance administrator. */
export const isInstanceAdmin = ({ kind, email = '', verified }: Actor): boolean =>
  kind === 'user' && verified === true && adminEmails.has(email);

/** Returns the actor if it is an instance administrator; otherwise throws 403. */
export const requireInstanceAdmin = (actor: Actor): Actor => {
  if (!isInstanceAdmin(actor))
    throw new AppError(403, 'INSTANCE_ADMINS_ONLY', 'Only instance administrators can do this');
  return actor;
};
