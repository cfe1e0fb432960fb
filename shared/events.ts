/** The menu of events: what can happen here, and the record it tells of (contract 6, part d). */
import { z } from 'zod';
import { KbContentView } from './models/kb-content.ts';
import { KbNamespaceView } from './models/kb-namespace.ts';
import { ProjectView } from './models/project.ts';

/** A payload that holds the record under a name, and more beside it. */
export interface Beside<Under extends string, View extends z.ZodObject, More extends z.ZodRawShape> {
  under: Under;
  view: View;
  more: z.ZodObject<More>;
}

/** For menu lines such as `'request.updated': beside('request', RequestView, { comment: z.string() })`. */
export const beside = <U extends string, V extends z.ZodObject, M extends z.ZodRawShape>(under: U, view: V, more: M) =>
  ({ under, view, more: z.strictObject(more) }) as Beside<U, V, M>;

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

/** Where the record stands in an event's payload; `under` is absent where it is the payload. */
export const shapeOf = (name: EventName): { view: z.ZodObject; under?: string } => {
  const entry: z.ZodObject | Beside<string, z.ZodObject, z.ZodRawShape> = events[name];
  return entry instanceof z.ZodObject ? { view: entry } : entry;
};
