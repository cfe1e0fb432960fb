/**
 * Participants of a conversation: teammates by user id, and bots as `bot_<id>`. Checks their ids, and reads their
 * profiles, which are cached for 30 seconds.
 */
import type { Types } from 'mongoose';
import { keyOf, RecordCache, splitKeys } from '../../concurrency/record-cache.ts';
import { readMany } from '../../database/raw-read.ts';
import { invalidField } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { isId } from '../../wire/view.ts';

/** Prefix of bot ids among participants. */
export const BOT_PREFIX = 'bot_';
/** Maximum number of participants per conversation, including free names, which are not the ids of records. */
export const MAX_PARTICIPANTS = 50;
/**
 * Channels without a live chat. Their conversations have only one agent, and are not assigned automatically from the
 * waiting queue.
 */
export const OFFLINE_CHANNELS = new Set(['email', 'form']);

/** Whether a participant is a bot. */
export const isBot = (id: string): boolean => id.startsWith(BOT_PREFIX);

/** Returns the bot id of a participant that is a bot. */
export const botIdOf = (id: string): string => id.slice(BOT_PREFIX.length);

/** Returns the bot that replies in a conversation: the last bot of its participants, or null. */
export const currentBot = (participants: string[]): string | null => participants.findLast(isBot) ?? null;

/** Returns the fields derived from the participants. Without participants, `hasBot` is omitted and keeps its value. */
export const participantFields = (participants: string[]) => {
  const bots = participants.filter(isBot);
  return {
    participants,
    participantsAgents: participants.filter((id) => !isBot(id)),
    participantsBots: bots.map(botIdOf),
    ...(participants.length && { hasBot: bots.length > 0 }),
  };
};

/** The results of checking participant ids. An id need not appear in any of the lists. */
export interface ParticipantLookup {
  /** Ids that have the form of record ids, but that the project does not have. Other unknown strings are free names. */
  unknownIds: string[];
  /** Ids of disabled and trashed members, and of trashed bots. */
  inactiveIds: string[];
  /** Ids of active teammates. */
  teammates: string[];
}

const MEMBERSHIP_FIELDS = { id_user: 1, uuid_user: 1, roleType: 1, status: 1, trashed: 1 } as const;

/** Finds the unknown ids, the inactive participants and the active teammates among participant ids. */
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
 * Throws 422 for an inactive participant. Also throws 422 for an unknown participant, unless the wire profile accepts
 * unknown participants.
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

const PERSON_FIELDS = {
  ...({ _id: 1, email: 1, firstname: 1, lastname: 1, emailverified: 1, phone: 1 } as const),
  ...({ createdAt: 1, updatedAt: 1 } as const),
};

/** A person with an account. */
export interface Person {
  _id: Types.ObjectId;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  emailverified: boolean;
  phone?: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const personCache = new RecordCache<Person>();

/** Loads accounts, each for the projects of which it is or was a member. */
const loadPeople = async (keys: string[]) => {
  const [projects, ids] = splitKeys(keys);
  const members = { id_project: { $in: projects }, id_user: { $in: ids } };
  const [memberships, accounts] = await Promise.all([
    readMany(ProjectUser, members, { fields: { id_project: 1, id_user: 1 } }),
    readMany(User, { _id: { $in: ids } }, { fields: PERSON_FIELDS }),
  ]);
  const byId = new Map(accounts.map((account) => [String(account._id), account]));
  return memberships.flatMap(({ id_project, id_user }) => {
    const person = byId.get(String(id_user));
    return person ? [[keyOf(id_project, String(id_user)), person] as const] : [];
  });
};

/** Account ids, and the project in which the accounts are looked up as members. */
interface ProjectIds {
  id_project: string;
  ids: string[];
}

/** Returns a function that finds an account by project and id, if the account is or was a member of the project. */
export const personLookup = async (
  idsByProject: ProjectIds[],
): Promise<(id_project: string, id: string) => Person | undefined> => {
  const keys = idsByProject.flatMap(({ id_project, ids }) => ids.filter(isId).map((id) => keyOf(id_project, id)));
  const found = await personCache.load(keys, loadPeople);
  return (id_project, id) => found.get(keyOf(id_project, id));
};

/** Returns the accounts with these ids that are or were members of the project, by id. */
export const findPeople = async (id_project: string, ids: string[]): Promise<Map<string, Person>> => {
  const personOf = await personLookup([{ id_project, ids }]);
  return new Map(ids.flatMap((id) => [personOf(id_project, id)].flatMap((person) => (person ? [[id, person]] : []))));
};

const BOT_FIELDS = { _id: 1, id_project: 1, name: 1, type: 1, trashed: 1 } as const;

interface ParticipatingBot {
  _id: Types.ObjectId;
  id_project: string;
  name: string;
  type: string;
  trashed: boolean;
}

/** The fields of a conversation that refer to its bots. */
interface BotParticipation {
  id_project: string;
  participantsBots: string[];
}

const botCache = new RecordCache<ParticipatingBot>();

const keysOf = ({ id_project, participantsBots }: BotParticipation): string[] =>
  participantsBots.filter(isId).map((bot) => keyOf(id_project, bot));

/** Returns a function that finds the bots of a conversation. Bots of other projects are omitted. */
export const botLookup = async (
  conversations: BotParticipation[],
): Promise<(one: BotParticipation) => ParticipatingBot[]> => {
  const cached = await botCache.load(conversations.flatMap(keysOf), async (missing) => {
    const [projects, ids] = splitKeys(missing);
    const found = await readMany(Bot, { id_project: { $in: projects }, _id: { $in: ids } }, { fields: BOT_FIELDS });
    return found.map((bot) => [keyOf(bot.id_project, String(bot._id)), bot]);
  });
  return (one) => keysOf(one).flatMap((key) => cached.get(key) ?? []);
};

/** Returns the name of a bot or member of the project. Returns undefined or an empty string for any other id. */
export const participantName = async (id_project: string, id: string): Promise<string | undefined> => {
  if (!isBot(id)) {
    const { firstname, lastname } = (await findPeople(id_project, [id])).get(id) ?? {};
    return [firstname, lastname].filter(Boolean).join(' ');
  }
  const participation = { id_project, participantsBots: [botIdOf(id)] };
  return (await botLookup([participation]))(participation)[0]?.name;
};

/** Returns an object with the `assigneeName` of a participant; empty if the participant is a free name or absent. */
export const assigneeName = async (id_project: string, id?: string): Promise<{ assigneeName?: string }> => {
  const name = id && (await participantName(id_project, id));
  return name ? { assigneeName: name } : {};
};
