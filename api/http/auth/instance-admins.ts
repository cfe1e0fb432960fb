/** Instance administrators: the accounts whose e-mail address is in the setting OPERATORS and verified. */
import type { Context } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { unauthorized } from '../response/errors.ts';
import type { Actor } from './authenticate.ts';
import { authenticateRequest } from './authorize.ts';

const adminEmails = new Set(config.OPERATORS.map((email) => email.toLowerCase()));

/** Whether the actor is an instance administrator. */
export const isInstanceAdmin = ({ kind, email = '', verified }: Actor): boolean =>
  kind === 'user' && verified === true && adminEmails.has(email);

/** Throws 403 unless the actor is an instance administrator. */
export const requireInstanceAdmin = (actor: Actor): void => {
  if (!isInstanceAdmin(actor))
    throw new AppError(403, 'INSTANCE_ADMINS_ONLY', 'Only instance administrators can do this');
};

/**
 * Authenticates an instance administrator. Throws 401 without credentials, so that a browser asks for them, and 403 for
 * others.
 */
export const authenticateInstanceAdmin = async (ctx: Context): Promise<void> => {
  const actor = await authenticateRequest(ctx);
  if (actor.kind === 'anonymous') throw unauthorized('Operators');
  requireInstanceAdmin(actor);
};
