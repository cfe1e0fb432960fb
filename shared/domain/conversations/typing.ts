/** Emits custom events. Typing events in a conversation are limited to one every two seconds per author. */
import { TtlCache } from '../../concurrency/ttl-cache.ts';
import { Conversation } from '../../models/conversation.ts';
import * as customEvents from '../events/custom-events.ts';
import { isTyping } from '../events/custom-event-names.ts';

/** Minimum interval between an author's typing events in a conversation. Clients repeat them while a person writes. */
const MIN_INTERVAL_MS = 2000;
const MAX_RECENT = 20_000;

type Emission = ReturnType<typeof customEvents.emit>;

/** The latest typing event of each author in each conversation. */
const recent = new TtlCache<Emission>({ ttlMs: MIN_INTERVAL_MS, max: MAX_RECENT });

const conversationOf = async (
  id_project: string,
  { name, attributes }: customEvents.CustomEventInput,
  visible: object,
): Promise<string | undefined> => {
  const request_id = attributes?.recipient_id;
  if (!isTyping(name) || typeof request_id !== 'string') return undefined;
  return (await Conversation.exists({ id_project, request_id, ...visible })) ? request_id : undefined;
};

/**
 * Emits a custom event. If it is a typing event whose `recipient_id` is a conversation that the author may see, it is
 * emitted to the people in this conversation, at most once every two seconds. A call within this interval returns the
 * previous event. `visible` is a filter for the conversations that the author may see.
 */
export const emit = async (
  id_project: string,
  input: customEvents.CustomEventInput,
  { visible, ...author }: customEvents.EventAuthor & { visible: object },
): Emission => {
  const request_id = await conversationOf(id_project, input, visible);
  if (request_id === undefined) return customEvents.emit(id_project, input, author);
  const key = `${id_project} ${author.id} ${request_id}`;
  const previous = recent.get(key);
  if (previous) return previous;
  const emission = customEvents.emit(id_project, { ...input, request_id }, author);
  recent.set(key, emission);
  void emission.catch(() => recent.delete(key));
  return emission;
};
