/** Commands in message texts: `\close` closes the conversation; `\agent` hands it over from a bot to an agent. */
import { handOverToAgent } from '../assignment/assign.ts';
import type { Actor, ConversationKey, StoredConversation } from '../conversation.ts';
import { assertParticipant, closeForSender } from '../lifecycle/close.ts';
import { CLOSE_COMMAND } from '../messages/build-message.ts';
import type { StoredMessage } from '../messages/messages.ts';

/** Throws 403, as `close` does, for a close command from an agent who is not a participant. */
export const assertCommandAllowed = (
  { text }: { text?: string | null },
  request: Pick<StoredConversation, 'participantsAgents'>,
  actor: Actor,
): void => {
  if (text?.includes(CLOSE_COMMAND)) assertParticipant(request, actor);
};

/**
 * Whether the conversation has been closed since the message was posted. If it has, an earlier attempt has executed the
 * close command, which must not be executed twice, because the conversation may have been reopened since then.
 */
const isAlreadyExecuted = ({ closed_at }: StoredConversation, { createdAt }: StoredMessage): boolean =>
  closed_at != null && new Date(closed_at) >= new Date(createdAt);

/**
 * Executes the command of a message, which must contain one (`isCommand`). `\close` closes the conversation, with the
 * sender as `closed_by`. `\agent`, the only other command, hands the conversation over to an agent if a bot is a
 * participant. Idempotent. Returns the conversation afterwards.
 */
export const runCommand = async (
  message: StoredMessage,
  request: StoredConversation,
  actor: Actor,
): Promise<StoredConversation> => {
  const key: ConversationKey = { id_project: request.id_project, request_id: request.request_id };
  const sender = { ...actor, id: message.sender, role: undefined };
  if (message.text?.includes(CLOSE_COMMAND))
    return isAlreadyExecuted(request, message) ? request : closeForSender(key, message.sender);
  return request.participantsBots.length ? handOverToAgent(key, sender) : request;
};
