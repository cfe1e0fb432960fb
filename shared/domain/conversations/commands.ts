/** Words in a text that act on its conversation, whoever of it says them (contract b 2.3, 2.5, 3.8). */
import { handOver } from './assigning.ts';
import { closeFor, refuseBystander } from './closing.ts';
import type { StoredMessage } from './messages.ts';
import type { Conversation, Speaker, StoredRequest } from './requests.ts';

const CLOSE = '\\close';
const AGENT = '\\agent';

/** True for a text that holds a command; no bot is told of it. */
export const isCommand = ({ text }: { text?: string | null }): boolean =>
  text != null && (text.includes(CLOSE) || text.includes(AGENT));

/** Refuse a text that closes the conversation from whom `close` refuses: an agent who takes no part in it. */
export const refuseCommand = (
  { text }: { text?: string | null },
  request: Pick<StoredRequest, 'participantsAgents'>,
  by: Speaker,
): void => {
  if (text?.includes(CLOSE)) refuseBystander(request, by);
};

/** Ended since it was said: an earlier try has obeyed, and whoever opened it again meant that. */
const isObeyed = ({ closed_at }: StoredRequest, { createdAt }: StoredMessage): boolean =>
  closed_at != null && new Date(closed_at) >= new Date(createdAt);

/**
 * Do what the text says and answer the conversation as it is then: `\close` ends it in the name of the sender, `\agent` hands it over
 * from its bot to a human, if there is one. Said once more, nothing is left to do.
 */
export const obey = async (message: StoredMessage, request: StoredRequest, by: Speaker): Promise<StoredRequest> => {
  const where: Conversation = { id_project: request.id_project, request_id: request.request_id };
  const sender = { ...by, id: message.sender, role: undefined };
  if (message.text?.includes(CLOSE)) return isObeyed(request, message) ? request : closeFor(where, message.sender);
  return request.participantsBots.length ? handOver(where, sender) : request;
};
