import type { Scope } from '#shared/domain/changes.ts';
import { type Actor, reaches } from '../http/actor.ts';

/** Whose changes somebody follows: agents and above the whole project, a visitor its own conversations (decisions 54, 57). */
export const scopeOf = ({ kind, id, role }: Actor, project: string): Scope =>
  kind === 'bot' || kind === 'subscription' || reaches(role, 'agent') ? { project } : { project, visitor: id };
