/** Who takes part in a conversation (contract b 1.12): teammates by user id, bots as `bot_<id>`. */
import { AppError, invalidField } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { wire } from '../../wire-profile.ts';
import { type Change, type Conversation, change, type Speaker, type StoredRequest } from './requests.ts';
import { type Move, moved } from './transitions.ts';

/** What a bot's id begins with among participants. */
export const BOT = 'bot_';
/** Participants of a conversation, names that integrators give among them. */
export const MOST_PARTICIPANTS = 50;
const ONE_AGENT = new Set(['email', 'form']);

/** True for the id of a bot among participants. */
export const isBot = (id: string): boolean => id.startsWith(BOT);

const idOfBot = (id: string): string => id.slice(BOT.length);

/** The fields that follow from who takes part; `hasBot` is kept when nobody does. */
export const taking = (participants: string[]) => {
  const bots = participants.filter(isBot);
  return {
    participants,
    participantsAgents: participants.filter((id) => !isBot(id)),
    participantsBots: bots.map(idOfBot),
    ...(participants.length && { hasBot: bots.length > 0 }),
  };
};

type Assignment = Extract<Change['tells'][number], readonly ['request.assigned', unknown]>;

const assignmentType = ({ participants: before }: StoredRequest, now: string[], by: Speaker) => {
  if (!now.length) return 'unassign';
  if (now.includes(by.id) && !before.includes(by.id)) return 'self_join';
  return now.every(isBot) ? 'manual_reassign_bot' : 'manual_reassign';
};

const assigned = (before: StoredRequest, now: string[], by: Speaker): Assignment => {
  const assignee = now.at(-1) ?? null;
  const name = by.fullname ? { name: by.fullname } : {};
  return [
    'request.assigned',
    {
      assigneeId: assignee,
      assigneeType: assignee && isBot(assignee) ? 'bot' : 'user',
      assignmentType: assignmentType(before, now, by),
      actor: { type: by.kind === 'bot' ? 'bot' : 'user', id: by.id, ...name },
      source: 'api',
      previousAssigneeId: before.participants[0] ?? null,
      removedParticipants: before.participants.filter((id) => !now.includes(id)),
    },
  ];
};

/** Teammates who have the conversation to themselves are told so; a bot needs no telling. */
const greeting = (participants: string[]): Pick<Change, 'says'> =>
  participants.length && !participants.some(isBot) ? { says: 'TOUCHING_OPERATOR' } : {};

/** What the project knows of some ids. */
export interface Known {
  /** Ids of records that the project does not have; any other text is a name that an integrator gives. */
  strangers: string[];
  /** Members who are disabled or in the trash, and bots in the trash. */
  gone: string[];
  /** Active members of the team. */
  teammates: string[];
}

const STANDING = { id_user: 1, uuid_user: 1, roleType: 1, status: 1, trashed: 1 } as const;

/** Which of the ids the project does not know, and who of those it knows is gone. */
export const knownAmong = async (id_project: string, ids: string[]): Promise<Known> => {
  const bots = ids.filter(isBot).map(idOfBot).filter(isId);
  const somebody = { $or: [{ id_user: { $in: ids.filter(isId) } }, { uuid_user: { $in: ids } }] };
  const [members, own] = await Promise.all([
    readMany(ProjectUser, { id_project, ...somebody }, { fields: STANDING }),
    bots.length ? readMany(Bot, { id_project, _id: { $in: bots } }, { fields: { _id: 1, trashed: 1 } }) : [],
  ]);
  const known = [
    ...members.map(({ id_user, uuid_user, roleType, status, trashed }) => ({
      ...{ id: String(id_user ?? uuid_user), isTeam: roleType === TEAM, isGone: trashed || status !== 'active' },
    })),
    ...own.map(({ _id, trashed }) => ({ id: BOT + String(_id), isTeam: false, isGone: trashed })),
  ];
  const all = new Set(known.map(({ id }) => id));
  return {
    strangers: ids.filter((id) => !all.has(id) && isId(isBot(id) ? idOfBot(id) : id)),
    gone: known.filter(({ isGone }) => isGone).map(({ id }) => id),
    teammates: known.filter(({ isTeam, isGone }) => isTeam && !isGone).map(({ id }) => id),
  };
};

/** 422 for who is gone, and for who is not of the project, unless the wire profile keeps strangers. */
export const refuse = ({ strangers = [], gone = [] }: Partial<Known>): void => {
  const [stranger] = wire.keepsStrangers ? [] : strangers;
  if (stranger !== undefined) throw invalidField('participants', `${stranger} is nobody of the project`);
  const [left] = gone;
  if (left !== undefined)
    throw invalidField('participants', `${left} is disabled or in the trash; restore it or name somebody else`);
};

const except = ({ strangers, gone }: Known, there: string[]) => ({
  strangers: strangers.filter((id) => !there.includes(id)),
  gone: gone.filter((id) => !there.includes(id)),
});

/** Let one more take part; a teammate's coming ends the bots' part. Nothing changes for who is there already. */
export const add = async (where: Conversation, member: string, by: Speaker) => {
  const known = await knownAmong(where.id_project, [member]);
  return change(where, (before) => {
    const isThere = before.participants.includes(member);
    const status = moved(isThere ? 'add a participant who is there' : 'add a participant', before.status);
    if (status === null) return null;
    refuse(known);
    const stay = isBot(member) ? before.participants : before.participants.filter((id) => !isBot(id));
    const participants = [...stay, member];
    if (participants.length > MOST_PARTICIPANTS)
      throw invalidField('member', `a conversation has at most ${MOST_PARTICIPANTS} participants; remove one first`);
    return {
      set: { ...taking(participants), hasBot: isBot(member), status, assigned_at: new Date() },
      tells: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_ADD', patch: { member } }],
        ['request.participants.join', { member }],
        assigned(before, participants, by),
      ],
      ...greeting(participants),
    };
  });
};

const refuseSecondAgent = ({ channel, participantsAgents }: StoredRequest, ids: string[]): void => {
  if (!ONE_AGENT.has(channel.name) || ids.length + participantsAgents.length <= 1 || !ids.length) return;
  throw new AppError(422, 'ONE_AGENT', `A conversation of the channel ${channel.name} has one agent`);
};

const setting = (ids: string[], before: string[]): Move => {
  if (ids.join(' ') === before.join(' ')) return 'set the same participants';
  return ids.length ? 'set participants' : 'set no participants';
};

/** Put these in the place of all who take part; the same in the same order change nothing. */
export const set = async (where: Conversation, members: string[], by: Speaker) => {
  const ids = [...new Set(members)];
  const known = await knownAmong(where.id_project, ids);
  return change(where, (before) => {
    const becomes = moved(setting(ids, before.participants), before.status);
    if (becomes === null) return null;
    refuse(except(known, before.participants));
    refuseSecondAgent(before, ids);
    const removedParticipants = before.participants.filter((id) => !ids.includes(id));
    const addedParticipants = ids.filter((id) => !before.participants.includes(id));
    const changed = { removedParticipants, addedParticipants };
    const { participants, status } = before;
    return {
      set: { ...taking(ids), status: becomes },
      drop: ['waiting_time'],
      tells: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANTS_SET', patch: changed }],
        ['request.participants.update', { ...changed, beforeRequest: { participants, status } }],
        assigned(before, ids, by),
      ],
      ...greeting(ids),
    };
  });
};

const membershipOf = async (id_project: string, id_user: string): Promise<string | undefined> => {
  const member = isId(id_user) ? await ProjectUser.findOne({ id_project, id_user }, { _id: 1 }).lean() : null;
  return member ? String(member._id) : undefined;
};

const leaving = (left: string[], before: string[]): Move => {
  if (left.length === before.length) return 'remove who is not there';
  return left.length ? 'remove a participant, others are left' : 'remove the last participant';
};

/** End somebody's part; who is not there leaves the conversation unchanged, a closed one stays closed. */
export const remove = async (where: Conversation, member: string, by: Speaker) => {
  const membership = await membershipOf(where.id_project, member);
  return change(where, (before) => {
    const left = before.participants.filter((id) => id !== member);
    const status = moved(leaving(left, before.participants), before.status);
    if (status === null) return null;
    return {
      set: {
        ...taking(left),
        ...(isBot(member) && { hasBot: false }),
        ...(membership && { [`attributes.abandoned_by_project_users.${membership}`]: Date.now() }),
        status,
      },
      tells: [
        'request.update',
        ['request.updated', { comment: 'PARTICIPANT_REMOVE', patch: { member } }],
        ['request.participants.leave', { member }],
        ...(left.length ? [] : [assigned(before, left, by)]),
      ],
    };
  });
};
