/** The facts of an event: the values that the conditions of triggers are evaluated against. */
import { AppError } from '../../errors.ts';
import type { TriggerKey } from '../../triggers/definitions.ts';
import { isOpenById } from '../availability/availability.ts';
import { CUSTOM_EVENT_PREFIX } from '../events/custom-event-names.ts';
import type { Facts } from './conditions.ts';

const KEY_BY_EVENT: Record<string, TriggerKey> = {
  'request.create': 'request.create',
  'request.participants.join': 'request.participants.join',
  'message.create': 'message.create.from.requester',
  'message.received': 'message.received',
};

export const isCustomEvent = (event: string): boolean => event.startsWith(CUSTOM_EVENT_PREFIX);

/** Returns the `key` of the triggers that an event may start; undefined if the event starts no triggers. */
export const triggerKeyOf = (event: string): TriggerKey | undefined =>
  isCustomEvent(event) ? 'event.emit' : KEY_BY_EVENT[event];

/** The fields of a conversation in a payload from which facts are computed. */
interface PayloadConversation extends Facts {
  request_id?: string;
  lead?: { lead_id?: string } | null;
  participants?: string[];
  department?: unknown;
  snapshot?: { department?: { id_bot?: unknown }; availableAgentsCount?: number };
}

/** The payload of an event that can start a trigger. */
export interface TriggerPayload extends PayloadConversation {
  sender?: string;
  request?: PayloadConversation;
  attributes?: Facts;
}

/**
 * Returns the department as a record. Depending on the setting `WIRE_PROFILE`, the payload contains this record or only
 * the department's id.
 */
const departmentOf = ({ department, snapshot }: PayloadConversation): unknown => {
  if (typeof department !== 'string') return department;
  const { department: copy } = snapshot ?? {};
  return { ...copy, _id: department, hasBot: Boolean(copy?.id_bot) };
};

const conversationFacts = (request: PayloadConversation): Facts => ({
  ...request,
  department: departmentOf(request),
  availableAgentsCount: request.snapshot?.availableAgentsCount,
});

/** Returns the facts of an event. */
export const factsOf = ({ request, ...payload }: TriggerPayload, key: TriggerKey): Facts => {
  if (key === 'event.emit') return payload;
  if (key === 'request.create') return conversationFacts(payload);
  const conversation = conversationFacts(request ?? {});
  return key === 'request.participants.join' ? { ...conversation, ...payload } : { ...payload, request: conversation };
};

/** Returns whether the project was open at the time of the event; false if its operating hours cannot be read. */
export const isOpenFact = async (id_project: string, at: Date): Promise<boolean> => {
  try {
    return await isOpenById(id_project, { at });
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/** Returns whether an event starts triggers with this key. A direct message, which has no conversation, starts none. */
export const startsTriggers = ({ request, sender }: TriggerPayload, key: TriggerKey): boolean => {
  if (key === 'message.received') return request !== undefined;
  return key !== 'message.create.from.requester' || (sender !== undefined && sender === request?.lead?.lead_id);
};
