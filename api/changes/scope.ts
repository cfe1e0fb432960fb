/** Determines which changes a caller may read. */
import { isTeam } from '#shared/domain/conversations/conversation.ts';
import type { ChangesScope } from '#shared/domain/events/read-changes.ts';
import type { Actor } from '../http/auth/authenticate.ts';
import { roleTooLow } from '../http/response/errors.ts';

/** Returns the scope of a caller: for the team, the whole project; for a visitor, only the visitor's conversations. */
export const changeScope = (actor: Actor, project: string): ChangesScope =>
  isTeam(actor) ? { project } : { project, visitor: actor.id };

/** Throws 403 if the caller lost access to the scope while the call was waiting for changes. */
export const assertScopeUnchanged = (scope: ChangesScope, actor: Actor): void => {
  if (changeScope(actor, scope.project).visitor !== scope.visitor) throw roleTooLow();
};
