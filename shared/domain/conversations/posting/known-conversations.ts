/** Remembers the conversations to which this process has posted. A new conversation then costs one read. */
import { TtlCache } from '../../../concurrency/ttl-cache.ts';
import { Conversation } from '../../../models/conversation.ts';
import type { ConversationKey } from '../conversation.ts';

const known = new TtlCache<true>({ ttlMs: 600_000, max: 20_000 });
const nameOf = ({ id_project, request_id }: ConversationKey): string => `${id_project} ${request_id}`;

/** Remembers that a conversation exists. */
export const remember = (key: ConversationKey): void => known.set(nameOf(key), true);

/** Returns whether a conversation exists, and remembers it. A remembered one may have been deleted since. */
export const mayExist = async (key: ConversationKey): Promise<boolean> => {
  if (known.get(nameOf(key))) return true;
  const isFound = (await Conversation.exists({ ...key })) !== null;
  if (isFound) remember(key);
  return isFound;
};
