/** The menu of events: what can happen here, and the record it tells of (contract 6, part d). */
import { KbContentView } from './models/kb-content.ts';
import { KbNamespaceView } from './models/kb-namespace.ts';
import { ProjectView } from './models/project.ts';

export const events = {
  'project.create': ProjectView,
  'kb.namespace.create': KbNamespaceView,
  'kb.namespace.update': KbNamespaceView,
  'kb.namespace.delete': KbNamespaceView,
  'kb.content.indexed': KbContentView,
  'kb.content.failed': KbContentView,
  'kb.content.delete': KbContentView,
};

export type EventName = keyof typeof events;
