/** The people and bots who take part in conversations. What is shown of them may be half a minute old. */
import type { Types } from 'mongoose';
import { Bot } from '../../models/bot.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { Remembered } from './remembered.ts';

/** The key of a record of a project. */
const keyOf = (id_project: string, id: string): string => `${id_project} ${id}`;

/** The projects and the ids of some keys. */
const partsOf = (keys: string[]): [projects: string[], ids: string[]] => {
  const parts = keys.map((key) => key.split(' ') as [string, string]);
  return [[...new Set(parts.map(([project]) => project))], [...new Set(parts.map(([, id]) => id))]];
};

const PERSON = {
  ...({ _id: 1, email: 1, firstname: 1, lastname: 1, emailverified: 1, phone: 1 } as const),
  ...({ createdAt: 1, updatedAt: 1 } as const),
};

/** Somebody with an account. */
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

const people = new Remembered<Person>();

/** An account is somebody only in the projects that it is or was a member of. */
const readPeople = async (keys: string[]) => {
  const [projects, ids] = partsOf(keys);
  const members = { id_project: { $in: projects }, id_user: { $in: ids } };
  const [memberships, accounts] = await Promise.all([
    readMany(ProjectUser, members, { fields: { id_project: 1, id_user: 1 } }),
    readMany(User, { _id: { $in: ids } }, { fields: PERSON }),
  ]);
  const byId = new Map(accounts.map((account) => [String(account._id), account]));
  return memberships.flatMap(({ id_project, id_user }) => {
    const person = byId.get(String(id_user));
    return person ? [[keyOf(id_project, String(id_user)), person] as const] : [];
  });
};

/** Some ids of a project. */
interface Some {
  id_project: string;
  ids: string[];
}

/** Tells the accounts among ids of projects; an account that is no member of the project is nobody in it. */
export const peopleIn = async (wanted: Some[]): Promise<(id_project: string, id: string) => Person | undefined> => {
  const keys = wanted.flatMap(({ id_project, ids }) => ids.filter(isId).map((id) => keyOf(id_project, id)));
  const found = await people.recall(keys, readPeople);
  return (id_project, id) => found.get(keyOf(id_project, id));
};

/** Those of the ids that are accounts of members of the project, by id. */
export const peopleOf = async (id_project: string, ids: string[]): Promise<Map<string, Person>> => {
  const personOf = await peopleIn([{ id_project, ids }]);
  return new Map(ids.flatMap((id) => [personOf(id_project, id)].flatMap((person) => (person ? [[id, person]] : []))));
};

const BOT = { _id: 1, id_project: 1, name: 1, type: 1, trashed: 1 } as const;

interface ParticipatingBot {
  _id: Types.ObjectId;
  id_project: string;
  name: string;
  type: string;
  trashed: boolean;
}

/** As much of a conversation as names its bots. */
interface Attended {
  id_project: string;
  participantsBots: string[];
}

const bots = new Remembered<ParticipatingBot>();

const keysOf = ({ id_project, participantsBots }: Attended): string[] =>
  participantsBots.filter(isId).map((bot) => keyOf(id_project, bot));

/** Tells the bots of each of the conversations; one of another project is nobody in them. */
export const botsOf = async (conversations: Attended[]): Promise<(one: Attended) => ParticipatingBot[]> => {
  const found = await bots.recall(conversations.flatMap(keysOf), async (unknown) => {
    const [projects, ids] = partsOf(unknown);
    const read = await readMany(Bot, { id_project: { $in: projects }, _id: { $in: ids } }, { fields: BOT });
    return read.map((bot) => [keyOf(bot.id_project, String(bot._id)), bot]);
  });
  return (one) => keysOf(one).flatMap((key) => found.get(key) ?? []);
};
