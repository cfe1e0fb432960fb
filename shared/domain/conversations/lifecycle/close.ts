/** Closes and reopens conversations. */
import { AppError } from '../../../errors.ts';
import { currentTime } from '../../../time/clock.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  type StoredConversation,
  conversationNotFound,
  ownsConversation,
  updateConversation,
} from '../conversation.ts';
import { closingEvents } from '../../quotas/charge.ts';
import { nextStatus } from '../transitions.ts';

/** How a conversation is closed. */
interface CloseOptions {
  /** Closes the conversation even if it is already closed; the events are then emitted again. */
  force?: boolean;
  /** Whether closing may send notifications. Default: true. */
  notify?: boolean;
}

/** Returns the update that closes a conversation, or null if it is already closed and `force` is not set. */
export const closeUpdate = async (
  before: StoredConversation,
  closed_by: string,
  { force = false, notify = true }: CloseOptions = {},
): Promise<ConversationUpdate | null> => {
  const status = nextStatus(force ? 'forced close' : 'close', before.status);
  if (status === null) return null;
  const closed_at = currentTime();
  const patch = { status };
  return {
    set: { ...patch, closed_at, closed_by, duration: closed_at.getTime() - before.createdAt.getTime() },
    events: [
      'request.update',
      ['request.updated', { comment: 'STATUS_CHANGE', patch }],
      'request.close',
      ['request.close.extended', { notify }],
      ...(await closingEvents(before.id_project)),
    ],
    systemMessage: 'CHAT_CLOSED',
  };
};

/** Throws 403 for an agent who is not a participant. Admins, owners and programs need not be participants. */
export const assertParticipant = (
  { participantsAgents }: Pick<StoredConversation, 'participantsAgents'>,
  { id, role }: Actor,
): void => {
  if (role === 'agent' && !participantsAgents.includes(id))
    throw new AppError(
      403,
      'NOT_PARTICIPATING',
      'Only participants and admins can do this; join the conversation first',
    );
};

/** Closes a conversation. Errors: 403 for an agent who is not a participant, 404 for an unknown conversation. */
export const close = (key: ConversationKey, actor: Actor, options: CloseOptions = {}) =>
  updateConversation(key, (before) => {
    assertParticipant(before, actor);
    return closeUpdate(before, actor.id, options);
  });

/**
 * Closes a conversation for the sender of a close command. The sender's permission was checked when the message was
 * posted.
 */
export const closeForSender = (key: ConversationKey, closed_by: string) =>
  updateConversation(key, (before) => closeUpdate(before, closed_by));

/**
 * Closes the visitor's own conversation and returns whether it was open. Throws 404 for the conversation of another
 * visitor.
 */
export const closeByVisitor = async (key: ConversationKey, actor: Actor) => {
  let wasOpen = false;
  const request = await updateConversation(key, async (before) => {
    if (!ownsConversation(before, actor)) throw conversationNotFound(key);
    const update = await closeUpdate(before, actor.id);
    wasOpen = update !== null;
    return update;
  });
  return { request, wasOpen };
};

/** Reopens a closed conversation. Its participants stay. Errors: 404 for an unknown conversation. */
export const reopen = (key: ConversationKey) =>
  updateConversation(key, ({ status: current, participants }) => {
    const isServed = compatibility.reopenedIsServed && participants.length > 0;
    const status = nextStatus(isServed ? 'reopen for deployed clients, with participants' : 'reopen', current);
    if (status === null) return null;
    return {
      set: { status },
      events: ['request.update', ['request.updated', { comment: 'REOPEN', patch: { status } }], 'request.reopen'],
      systemMessage: 'CHAT_REOPENED',
    };
  });
