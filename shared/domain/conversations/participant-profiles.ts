/** Profiles of the people and bots in conversations, cached for 30 seconds. */
import type { Types } from 'mongoose';
import { readMany } from '../../database/raw-read.ts';
import { Bot } from '../../models/bot.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { isId } from '../../wire/view.ts';
import { RecordCache } from './record-cache.ts';

/** The cache key of a record of a project. */
const keyOf = (id_project: string, id: string): string => `${id_project} ${id}`;

/** Splits cache keys into distinct projects and ids. */
const splitKeys = (keys: string[]): [projects: string[], ids: string[]] => {
  const parts = keys.map((key) => key.split(' ') as [string, string]);
  return [[...new Set(parts.map(([project]) => project))], [...new Set(parts.map(([, id]) => id))]];
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

/** Loads accounts for the projects in which they are or were members. */
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

/** Account ids, and the project whose members they should be. */
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

/** Returns the accounts of project members among the ids, by id. */
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

/** Returns a function that finds the bots of a conversation. It leaves out bots of other projects. */
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
