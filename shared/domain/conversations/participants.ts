/** Who takes part in a conversation (contract b 1.12): teammates by user id, bots as `bot_<id>`. */
import { AppError } from '../../errors.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { isId } from '../../view.ts';
import { type Change, type Conversation, change, type Speaker, type StoredRequest } from './requests.ts';
import { type Move, moved } from './transitions.ts';

const BOT = 'bot_';
const ONE_AGENT = new Set(['email', 'form']);

/** True for the id of a bot among participants. */
export const isBot = (id: string): boolean => id.startsWith(BOT);

/** The fields that follow from who takes part; `hasBot` is kept when nobody does. */
export const taking = (participants: string[]) => {
  const bots = participants.filter(isBot);
  return {
    participants,
    participantsAgents: participants.filter((id) => !isBot(id)),
    participantsBots: bots.map((id) => id.slice(BOT.length)),
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

/** Let one more take part; a teammate's coming ends the bots' part. Nothing changes for who is there already. */
export const add = (where: Conversation, member: string, by: Speaker) =>
  change(where, (before) => {
    const isThere = before.participants.includes(member);
    const status = moved(isThere ? 'add a participant who is there' : 'add a participant', before.status);
    if (status === null) return null;
    const stay = isBot(member) ? before.participants : before.participants.filter((id) => !isBot(id));
    const participants = [...stay, member];
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

const refuseSecondAgent = ({ channel, participantsAgents }: StoredRequest, ids: string[]): void => {
  if (!ONE_AGENT.has(channel.name) || ids.length + participantsAgents.length <= 1 || !ids.length) return;
  throw new AppError(422, 'ONE_AGENT', `A conversation of the channel ${channel.name} has one agent`);
};

const setting = (ids: string[], before: string[]): Move => {
  if (ids.join(' ') === before.join(' ')) return 'set the same participants';
  return ids.length ? 'set participants' : 'set no participants';
};

/** Put these in the place of all who take part; the same in the same order change nothing. */
export const set = (where: Conversation, members: string[], by: Speaker) =>
  change(where, (before) => {
    const ids = [...new Set(members)];
    const becomes = moved(setting(ids, before.participants), before.status);
    if (becomes === null) return null;
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
