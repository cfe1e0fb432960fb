import type { Context } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import type { Actor } from './actor.ts';
import { identify } from './admit.ts';
import { unauthorized } from './errors.ts';

const operators = new Set(config.OPERATORS.map((email) => email.toLowerCase()));

/** True for an operator of this instance: an account whose e-mail is named, and proved to be its own (decision 53). */
export const isOperator = ({ kind, email = '', verified }: Actor): boolean =>
  kind === 'user' && verified === true && operators.has(email);

/** 403 for whoever is none. */
export const mustOperate = (actor: Actor): void => {
  if (!isOperator(actor)) throw new AppError(403, 'OPERATORS_ONLY', 'For operators of this instance only');
};

/** Let nobody pass but the operators of this instance: 401 for nobody, so that a browser asks, 403 for others (decision 53). */
export const admitOperator = async (ctx: Context): Promise<void> => {
  const actor = await identify(ctx);
  if (actor.kind === 'nobody') throw unauthorized('Operators');
  mustOperate(actor);
};
