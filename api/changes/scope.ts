import { isTeam } from '#shared/domain/conversations/requests.ts';
import type { Scope } from '#shared/domain/events/changes.ts';
import type { Actor } from '../http/actor.ts';
import { roleTooLow } from '../http/errors.ts';

/** Whose changes somebody follows: agents and above the whole project, a visitor its own conversations (decisions 54, 57). */
export const scopeOf = (actor: Actor, project: string): Scope =>
  isTeam(actor) ? { project } : { project, visitor: actor.id };

/** 403 for who has waited and may not see any more what it waited for. */
export const mustStillSee = (scope: Scope, actor: Actor): void => {
  if (scopeOf(actor, scope.project).visitor !== scope.visitor) throw roleTooLow();
};
