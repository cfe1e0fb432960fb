import { type Actor, callerOf } from './actor.ts';
import { spend } from './rate-limit.ts';

/** Count a token that a principal is issued; 429 once it was issued too many within a minute. */
export const countIssued = async (actor: Actor): Promise<void> => {
  await spend('issued', callerOf(actor));
};
