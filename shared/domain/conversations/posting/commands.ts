/** Commands in message texts: `\close` closes the conversation; `\agent` hands it over from a bot to an agent. */
import { handOverToAgent, readDecisions } from '../assignment/assign.ts';
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
 * Whether the conversation has been closed since the message was posted. If it has, an earlier call has executed the
 * close command, which must not be executed twice, because the conversation may have been reopened since then. A close
 * command to a closed conversation changes nothing, so a repeat of it closes the conversation if it was reopened.
 */
const isClosedSince = ({ closed_at }: StoredConversation, { createdAt }: StoredMessage): boolean =>
  closed_at != null && new Date(closed_at) >= new Date(createdAt);

/** Whether, by its latest routing decisions, the conversation was handed over to an agent after the message. */
const isHandedOverSince = async (key: ConversationKey, { createdAt }: StoredMessage): Promise<boolean> =>
  (await readDecisions(key)).some(({ trigger, at }) => trigger === 'agent' && at >= new Date(createdAt));

const hasBot = ({ participantsBots }: StoredConversation): boolean => participantsBots.length > 0;

/** A message with a command, and its conversation. */
interface PostedCommand {
  message: StoredMessage;
  request: StoredConversation;
  /** Whether an earlier call has posted the message. It may have been interrupted before it executed the command. */
  isRepeated?: boolean;
}

/**
 * Executes the command of a message, which must contain one (`isCommand`). `\close` closes the conversation, with the
 * sender as `closed_by`. `\agent`, the only other command, hands the conversation over to an agent if a bot is a
 * participant. A repeat does not execute it again, even if the conversation was reopened or has another bot (with the
 * exception in `isClosedSince`). Returns the conversation afterwards.
 */
export const runCommand = async (
  { message, request, isRepeated }: PostedCommand,
  actor: Actor,
): Promise<StoredConversation> => {
  const key: ConversationKey = { id_project: request.id_project, request_id: request.request_id };
  const sender = { ...actor, id: message.sender, role: undefined };
  if (message.text?.includes(CLOSE_COMMAND))
    return isClosedSince(request, message) ? request : closeForSender(key, message.sender);
  if (!hasBot(request) || (isRepeated && (await isHandedOverSince(key, message)))) return request;
  return handOverToAgent(key, sender, hasBot); // a concurrent repeat finds no bot
};
