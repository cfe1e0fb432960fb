/** Participants of a conversation: teammates by user id, bots as `bot_<id>`. */
import { readMany } from '../../../database/raw-read.ts';
import { AppError, invalidField } from '../../../errors.ts';
import { Bot } from '../../../models/bot.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../../models/project-user.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import { isId } from '../../../wire/view.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  type StoredConversation,
  updateConversation,
} from '../conversation.ts';
import { nextStatus, type Transition } from '../transitions.ts';

/** Prefix of bot ids among participants. */
export const BOT_PREFIX = 'bot_';
/** Maximum number of participants per conversation, including free names that integrators set. */
export const MAX_PARTICIPANTS = 50;
/**
 * Channels without a live chat: their conversations have one agent and are not assigned automatically from the waiting
 * queue.
 */
export const OFFLINE_CHANNELS = new Set(['email', 'form']);

/** Whether a participant id is that of a bot. */
export const isBot = (id: string): boolean => id.startsWith(BOT_PREFIX);

const botIdOf = (id: string): string => id.slice(BOT_PREFIX.length);

/** The fields derived from the participants. Without participants, `hasBot` is omitted and keeps its value. */
export const participantFields = (participants: string[]) => {
  const bots = participants.filter(isBot);
  return {
    participants,
    participantsAgents: participants.filter((id) => !isBot(id)),
    participantsBots: bots.map(botIdOf),
    ...(participants.length && { hasBot: bots.length > 0 }),
  };
};

type AssignedEvent = Extract<ConversationUpdate['events'][number], readonly ['request.assigned', unknown]>;

const assignmentType = ({ participants: before }: StoredConversation, after: string[], actor: Actor) => {
  if (!after.length) return 'unassign';
  if (after.includes(actor.id) && !before.includes(actor.id)) return 'self_join';
  return after.every(isBot) ? 'manual_reassign_bot' : 'manual_reassign';
};

const assignedEvent = (before: StoredConversation, after: string[], actor: Actor): AssignedEvent => {
  const assignee = after.at(-1) ?? null;
  const name = actor.fullname ? { name: actor.fullname } : {};
  return [
    'request.assigned',
    {
      assigneeId: assignee,
      assigneeType: assignee && isBot(assignee) ? 'bot' : 'user',
      assignmentType: assignmentType(before, after, actor),
      actor: { type: actor.kind === 'bot' ? 'bot' : 'user', id: actor.id, ...name },
      source: 'api',
      previousAssigneeId: before.participants[0] ?? null,
      removedParticipants: before.participants.filter((id) => !after.includes(id)),
    },
  ];
};

/** The system message that informs agents of their new conversation; none while a bot is a participant. */
const assignmentMessage = (participants: string[]): Pick<ConversationUpdate, 'systemMessage'> =>
  participants.length && !participants.some(isBot) ? { systemMessage: 'TOUCHING_OPERATOR' } : {};

/** The classification of some participant ids. */
export interface ParticipantLookup {
  /** Ids that look like those of records but that the project does not have. Other texts are free names. */
  unknownIds: string[];
  /** Members that are disabled or trashed, and trashed bots. */
  inactiveIds: string[];
  /** Active teammates. */
  teammates: string[];
}

const MEMBERSHIP_FIELDS = { id_user: 1, uuid_user: 1, roleType: 1, status: 1, trashed: 1 } as const;

/** Classifies participant ids as unknown, inactive or active teammates. */
export const lookUpParticipants = async (id_project: string, ids: string[]): Promise<ParticipantLookup> => {
  const bots = ids.filter(isBot).map(botIdOf).filter(isId);
  const member = { $or: [{ id_user: { $in: ids.filter(isId) } }, { uuid_user: { $in: ids } }] };
  const [members, projectBots] = await Promise.all([
    readMany(ProjectUser, { id_project, ...member }, { fields: MEMBERSHIP_FIELDS }),
    bots.length ? readMany(Bot, { id_project, _id: { $in: bots } }, { fields: { _id: 1, trashed: 1 } }) : [],
  ]);
  const known = [
    ...members.map(({ id_user, uuid_user, roleType, status, trashed }) => ({
      id: String(id_user ?? uuid_user),
      isTeam: roleType === TEAM_ROLE_TYPE,
      isInactive: trashed || status !== 'active',
    })),
    ...projectBots.map(({ _id, trashed }) => ({ id: BOT_PREFIX + String(_id), isTeam: false, isInactive: trashed })),
  ];
  const knownIds = new Set(known.map(({ id }) => id));
  return {
    unknownIds: ids.filter((id) => !knownIds.has(id) && isId(isBot(id) ? botIdOf(id) : id)),
    inactiveIds: known.filter(({ isInactive }) => isInactive).map(({ id }) => id),
    teammates: known.filter(({ isTeam, isInactive }) => isTeam && !isInactive).map(({ id }) => id),
  };
};

/**
 * Throws 422 for an inactive participant, and for an unknown one unless the wire profile accepts unknown participants.
 */
export const assertUsable = ({ unknownIds = [], inactiveIds = [] }: Partial<ParticipantLookup>): void => {
  const [unknownId] = compatibility.acceptsUnknownParticipants ? [] : unknownIds;
  if (unknownId !== undefined)
    throw invalidField('participants', `${unknownId} is not a member or bot of this project`);
  const [inactiveId] = inactiveIds;
  if (inactiveId !== undefined)
    throw invalidField(
      'participants',
      `${inactiveId} is disabled or trashed; restore it or choose another participant`,
    );
};

const withoutPresent = ({ unknownIds, inactiveIds }: ParticipantLookup, present: string[]) => ({
  unknownIds: unknownIds.filter((id) => !present.includes(id)),
  inactiveIds: inactiveIds.filter((id) => !present.includes(id)),
});

/**
 * Adds a participant; adding a teammate removes the bots. Does nothing if the participant is present. Errors: 404 for
 * the conversation, 422 as in `assertUsable` or for too many participants.
 */
export const add = async (key: ConversationKey, member: string, actor: Actor) => {
  const lookup = await lookUpParticipants(key.id_project, [member]);
  return updateConversation(key, (before) => {
    const isPresent = before.participants.includes(member);
    const status = nextStatus(isPresent ? 'add a participant who is present' : 'add a participant', before.status);
    if (status === null) return null;
    assertUsable(lookup);
    const remaining = isBot(member) ? before.participants : before.participants.filter((id) => !isBot(id));
    const participants = [...remaining, member];
    if (participants.length > MAX_PARTICIPANTS)
      throw invalidField('member', `a conversation has at most ${MAX_PARTICIPANTS} participants; remove one first`);
    return {
      set: { ...participantFields(participants), hasBot: isBot(member), status, assigned_at: new Date() },
      events: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_ADD', patch: { member } }],
        ['request.participants.join', { member }],
        assignedEvent(before, participants, actor),
      ],
      ...assignmentMessage(participants),
    };
  });
};

const assertSingleAgent = ({ channel, participantsAgents }: StoredConversation, ids: string[]): void => {
  if (!OFFLINE_CHANNELS.has(channel.name) || ids.length + participantsAgents.length <= 1 || !ids.length) return;
  throw new AppError(
    422,
    'SINGLE_AGENT_CHANNEL',
    `A conversation of the channel ${channel.name} can have only one agent; remove the others first`,
  );
};

const setTransition = (ids: string[], before: string[]): Transition => {
  if (ids.join(' ') === before.join(' ')) return 'set the same participants';
  return ids.length ? 'set participants' : 'set no participants';
};

/**
 * Replaces the participants; does nothing if the ids and their order are the same. Errors: 404 for the conversation,
 * 422 as in `assertUsable` or for several agents in a channel that allows one.
 */
export const set = async (key: ConversationKey, members: string[], actor: Actor) => {
  const ids = [...new Set(members)];
  const lookup = await lookUpParticipants(key.id_project, ids);
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
        assignedEvent(before, ids, actor),
      ],
      ...assignmentMessage(ids),
    };
  });
};

const findMembershipId = async (id_project: string, id_user: string): Promise<string | undefined> => {
  const member = isId(id_user) ? await ProjectUser.findOne({ id_project, id_user }, { _id: 1 }).lean() : null;
  return member ? String(member._id) : undefined;
};

const removeTransition = (remaining: string[], before: string[]): Transition => {
  if (remaining.length === before.length) return 'remove an absent participant';
  return remaining.length ? 'remove a participant, others remain' : 'remove the last participant';
};

/**
 * Removes a participant; does nothing if it is absent. A closed conversation stays closed. Errors: 404 for the
 * conversation.
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
        ...(isBot(member) && { hasBot: false }),
        ...(membership && { [`attributes.abandoned_by_project_users.${membership}`]: Date.now() }),
        status,
      },
      events: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_REMOVE', patch: { member } }],
        ['request.participants.leave', { member }],
        ...(remaining.length ? [] : [assignedEvent(before, remaining, actor)]),
      ],
    };
  });
};
