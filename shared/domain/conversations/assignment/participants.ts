/** Adds, replaces and removes participants of a conversation. */
import { AppError, invalidField } from '../../../errors.ts';
import { ProjectUser } from '../../../models/project-user.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import { isId } from '../../../wire/view.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  type StoredConversation,
  updateConversation,
} from '../conversation.ts';
import {
  assertUsable,
  assigneeName,
  isBot,
  lookUpParticipants,
  MAX_PARTICIPANTS,
  OFFLINE_CHANNELS,
  participantFields,
  type ParticipantLookup,
} from '../participants.ts';
import { nextStatus, type Transition } from '../transitions.ts';
import { type AssignedEvent, eventActor, eventSource } from './event-fields.ts';

const assignmentType = ({ participants: before }: StoredConversation, after: string[], actor: Actor) => {
  if (!after.length) return 'unassign';
  if (after.includes(actor.id) && !before.includes(actor.id)) return 'self_join';
  return after.every(isBot) ? 'manual_reassign_bot' : 'manual_reassign';
};

const assignedEvent = (
  before: StoredConversation,
  { participants: after, ...name }: { participants: string[]; assigneeName?: string },
  actor: Actor,
): AssignedEvent => {
  const assignee = after.at(-1) ?? null;
  return [
    'request.assigned',
    {
      assigneeId: assignee,
      ...name,
      assigneeType: assignee && isBot(assignee) ? 'bot' : 'user',
      assignmentType: assignmentType(before, after, actor),
      actor: eventActor(actor),
      source: eventSource(actor),
      previousAssigneeId: before.participants[0] ?? null,
      removedParticipants: before.participants.filter((id) => !after.includes(id)),
    },
  ];
};

/**
 * Returns the system message that informs agents of a new conversation, or nothing if there are no participants or a
 * bot participates.
 */
const assignmentMessage = (participants: string[]): Pick<ConversationUpdate, 'systemMessage'> =>
  participants.length && !participants.some(isBot) ? { systemMessage: 'TOUCHING_OPERATOR' } : {};

const withoutPresent = ({ unknownIds, inactiveIds }: ParticipantLookup, present: string[]) => ({
  unknownIds: unknownIds.filter((id) => !present.includes(id)),
  inactiveIds: inactiveIds.filter((id) => !present.includes(id)),
});

/**
 * Adds a participant. Adding a teammate removes the bots. Adding a participant who is present changes nothing. Errors:
 * 404 for an unknown conversation, 422 for an unknown or inactive participant (see `assertUsable`) and for too many
 * participants.
 */
export const add = async (key: ConversationKey, member: string, actor: Actor) => {
  const [lookup, name] = await Promise.all([
    lookUpParticipants(key.id_project, [member]),
    assigneeName(key.id_project, member),
  ]);
  return updateConversation(key, (before) => {
    const isPresent = before.participants.includes(member);
    const status = nextStatus(isPresent ? 'add an existing participant' : 'add a participant', before.status);
    if (status === null) return null;
    assertUsable(lookup);
    const remaining = isBot(member) ? before.participants : before.participants.filter((id) => !isBot(id));
    const participants = [...remaining, member];
    if (participants.length > MAX_PARTICIPANTS)
      throw invalidField('member', `a conversation has at most ${MAX_PARTICIPANTS} participants; remove one first`);
    return {
      set: { ...participantFields(participants), hasBot: isBot(member), status, assigned_at: currentTime() },
      events: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_ADD', patch: { member } }],
        ['request.participants.join', { member }],
        assignedEvent(before, { participants, ...name }, actor),
      ],
      ...assignmentMessage(participants),
    };
  });
};

/**
 * Throws 422 if the channel allows only one agent and there are several ids or an agent participates. The API
 * specification refuses even the replacement of that agent: it must be removed before another one is set.
 */
const assertSingleAgent = ({ channel, participantsAgents }: StoredConversation, ids: string[]): void => {
  if (!OFFLINE_CHANNELS.has(channel.name) || !ids.length) return;
  if (ids.length === 1 && !participantsAgents.length) return;
  const remedy = participantsAgents.length ? 'remove its agent first' : 'set only one participant';
  throw new AppError(
    422,
    'SINGLE_AGENT_CHANNEL',
    `A conversation in the ${channel.name} channel can have only one agent; ${remedy}`,
  );
};

const setTransition = (ids: string[], before: string[]): Transition => {
  if (ids.join(' ') === before.join(' ')) return 'set the same participants';
  return ids.length ? 'set participants' : 'set no participants';
};

/**
 * Replaces the participants. Setting the same ids in the same order changes nothing. Errors: 404 for an unknown
 * conversation, 422 for an unknown or inactive participant (see `assertUsable`) and, in a channel that allows only one
 * agent, for several ids or if the conversation already has an agent.
 */
export const set = async (key: ConversationKey, members: string[], actor: Actor) => {
  const ids = [...new Set(members)];
  const [lookup, name] = await Promise.all([
    lookUpParticipants(key.id_project, ids),
    assigneeName(key.id_project, ids.at(-1)),
  ]);
  return updateConversation(key, (before) => {
    const statusAfter = nextStatus(setTransition(ids, before.participants), before.status);
    if (statusAfter === null) return null;
    assertUsable(withoutPresent(lookup, before.participants));
    assertSingleAgent(before, ids);
    const removedParticipants = before.participants.filter((id) => !ids.includes(id));
    const addedParticipants = ids.filter((id) => !before.participants.includes(id));
    const changes = { removedParticipants, addedParticipants };
    const { participants, status } = before;
    return {
      set: { ...participantFields(ids), status: statusAfter },
      drop: ['waiting_time'],
      events: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANTS_SET', patch: changes }],
        ['request.participants.update', { ...changes, beforeRequest: { participants, status } }],
        assignedEvent(before, { participants: ids, ...name }, actor),
      ],
      ...assignmentMessage(ids),
    };
  });
};

const findMembershipId = async (id_project: string, id_user: string): Promise<string | undefined> => {
  const member = isId(id_user) ? await ProjectUser.findOne({ id_project, id_user }, { _id: 1 }).lean() : null;
  return member ? String(member._id) : undefined;
};

/** Returns the fields of a leave event. The activity log records that a person leaves, but not that a bot does. */
const leaveFields = (member: string, actor: Actor) => ({
  member,
  ...{ actor: eventActor(actor), source: eventSource(actor), trackLeave: !isBot(member) },
});

const removeTransition = (remaining: string[], before: string[]): Transition => {
  if (remaining.length === before.length) return 'remove a non-participant';
  return remaining.length ? 'remove a participant, others remain' : 'remove the last participant';
};

/**
 * Removes a participant. Removing an absent participant changes nothing. A closed conversation stays closed. Errors:
 * 404 for an unknown conversation.
 */
export const remove = async (key: ConversationKey, member: string, actor: Actor) => {
  const membership = await findMembershipId(key.id_project, member);
  return updateConversation(key, (before) => {
    const remaining = before.participants.filter((id) => id !== member);
    const status = nextStatus(removeTransition(remaining, before.participants), before.status);
    if (status === null) return null;
    return {
      set: {
        ...participantFields(remaining),
        ...(isBot(member) && { hasBot: remaining.some(isBot) }),
        ...(membership && { [`attributes.abandoned_by_project_users.${membership}`]: currentTimeMs() }),
        status,
      },
      events: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_REMOVE', patch: { member } }],
        ['request.participants.leave', leaveFields(member, actor)],
        ...(remaining.length ? [] : [assignedEvent(before, { participants: remaining }, actor)]),
      ],
    };
  });
};
