/** Fields that event payloads contain in addition to the record. */
import { z } from 'zod';
import { AnyObject } from './models/conversation.ts';

/** The actor of a change, and how the change was made. A subscription is an actor of type `system`. */
export const ActorFields = {
  actor: z.strictObject({ type: z.enum(['user', 'bot', 'system']), id: z.string(), name: z.string().optional() }),
  source: z.enum(['api', 'subscription', 'chatbot', 'queue', 'webhook', 'rules', 'create', 'system']),
};

/** An assignment. Each id is a user's id, `bot_` with a bot's id or, for an assignee, a department's id. */
export const AssignmentFields = {
  assigneeId: z.string().nullable(),
  assigneeName: z.string().optional(),
  assigneeType: z.enum(['user', 'bot', 'department']),
  assignmentType: z.enum([
    'auto',
    'self_join',
    'manual_reassign',
    'manual_reassign_bot',
    'manual_reassign_department',
    'unassign',
  ]),
  ...ActorFields,
  previousAssigneeId: z.string().nullable(),
  removedParticipants: z.array(z.string()),
};

/** A ban: the visitor, and their IP address if it is known. */
export const BanInfo = z.strictObject({ id: z.string(), ip: z.string().optional() });

export const ReplacedFields = AnyObject.meta({ description: 'The fields that changed' });

/**
 * The bot of the conversation at the time of the write: `bot_` and its id, or null. The payload shows the conversation
 * as it is when the event is relayed; the conversation may have another bot by then.
 */
export const BotContext = { bot: z.string().nullable() };

/**
 * The context of a new message. `isFirstText`: the message has opened its conversation or ended the preflight, so its
 * text is the first text of the conversation. A later message may repeat this text.
 */
export const MessageContext = { ...BotContext, isFirstText: z.boolean().optional() };

/** The kind of change to a conversation. */
export const UpdateComment = z.enum([
  'PATCH',
  'STATUS_CHANGE',
  'REOPEN',
  'REROUTE',
  'FIRSTTEXT_PREFLIGHT_CHANGE',
  'PARTICIPANT_ADD',
  'PARTICIPANTS_SET',
  'PARTICIPANT_REMOVE',
  'FOLLOWER_ADD',
  'FOLLOWERS_SET',
  'FOLLOWER_REMOVE',
  'TAG_ADD',
  'TAG_REMOVE',
  'NOTE_ADD',
  'NOTE_DELETE',
  'ATTRIBUTES_PATCH',
]);
