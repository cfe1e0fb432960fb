/**
 * The table of standard events: how clients cause each event, and what its payload contains. Tests run the table in
 * both wire profiles and look for the events in webhooks, on a socket and in the changes log.
 */
import { accountEvents } from './account-events.ts';
import { conversationEvents } from './conversation-events.ts';
import { quotaEvents } from './quota-events.ts';
import { recordEvents } from './record-events.ts';
import type { EventScene, ExpectedEvent } from './scene.ts';
import { teamEvents } from './team-events.ts';

/** The first row limits the plan, before the processes cache the project's unlimited plan. */
export const EVENT_CAUSES = [...quotaEvents, ...conversationEvents, ...teamEvents, ...recordEvents, ...accountEvents];

/** Runs all operations of the table, and returns the events that they must cause. */
export const causeAllEvents = async (scene: EventScene): Promise<ExpectedEvent[]> => {
  const all: ExpectedEvent[] = [];
  for (const { operation, events, cause, projectOf } of EVENT_CAUSES) {
    const payloads = await cause(scene);
    if (Object.keys(payloads).toSorted().join() !== [...events].toSorted().join())
      throw new Error(`The row "${operation}" must return a payload for each of its events`);
    for (const [event, payload] of Object.entries(payloads))
      all.push({ event, payload, project: projectOf?.(payload as Record<string, unknown>) });
  }
  return all;
};

/**
 * Whether a value contains a part. Objects must have the fields of the part, and arrays its elements, in any position.
 * An empty array matches only an empty array.
 */
export const contains = (actual: unknown, part: unknown): boolean => {
  if (part === null || typeof part !== 'object') return actual === part;
  if (actual === null || typeof actual !== 'object') return false;
  if (Array.isArray(part)) {
    const elements = Array.isArray(actual) ? actual : [];
    return part.length ? part.every((each) => elements.some((one) => contains(one, each))) : elements.length === 0;
  }
  return Object.entries(part).every(([key, value]) => contains((actual as Record<string, unknown>)[key], value));
};
