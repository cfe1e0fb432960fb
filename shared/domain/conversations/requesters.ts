/** Who opened a conversation: the membership, with the account in it. */
import { ProjectUser } from '../../models/project-user.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { type Changed, changed, FIELDS, type Stored } from '../team/members.ts';
import type { Person } from './participating.ts';
import { LIVE_MS, Remembered } from './remembered.ts';

/** Bytes of each of the free parts of a membership that conversations and their events carry; a larger one is left out. */
const MOST_BYTES = 2048;

const bounded = (name: string, otherwise: unknown = '$$REMOVE') => ({
  $cond: [{ $lte: [{ $bsonSize: { kept: `$${name}` } }, MOST_BYTES] }, `$${name}`, otherwise],
});

const MEMBER = {
  ...FIELDS,
  attributes: bounded('attributes'),
  settings: bounded('settings'),
  tags: bounded('tags', []),
} as unknown as typeof FIELDS;

/** A membership as conversations show it. */
export type Requester = Omit<Changed, 'id_user'> & { id_user?: Omit<Person, 'phone'> };

const members = new Remembered<Stored>();

const keyOf = (id_project: string, membership: string): string => `${id_project} ${membership}`;

const read = async (filter: Parameters<typeof readMany<typeof ProjectUser, typeof MEMBER>>[1]): Promise<Stored[]> => {
  const found = await readMany(ProjectUser, filter, { fields: MEMBER });
  return found as unknown as Stored[];
};

const readMembers = async (keys: string[]) => {
  const [projects, ids] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split(' ')[part] as string))]);
  const found = await read({ id_project: { $in: projects as string[] }, _id: { $in: ids } });
  return found.map((member) => [keyOf(member.id_project, String(member._id)), member] as const);
};

/** An active member of the project, by the id of the account or visitor. */
export const activeMember = async (id_project: string, user: string): Promise<Stored | undefined> => {
  const who = isId(user) ? { id_user: user } : { uuid_user: user };
  const [member] = await read({ id_project, status: 'active', trashed: false, ...who });
  if (member) members.set(keyOf(id_project, String(member._id)), member);
  return member;
};

/** A membership of the project by its id. */
export const memberOf = async (id_project: string, membership: string): Promise<Stored | undefined> => {
  const key = keyOf(id_project, membership);
  return isId(membership) ? (await members.recall([key], readMembers)).get(key) : undefined;
};

/** A membership as conversations show it, with its account. */
export const shown = (member: Stored, person?: Person): Requester => {
  const { id_user: _, ...rest } = changed(member);
  const requester = { ...rest, _id: String(member._id), id: String(member._id) };
  return person ? { ...requester, id_user: account(person) } : requester;
};

/** An account as conversations show it. */
export const account = (person: Person): Omit<Person, 'phone'> => {
  const { phone: _, ...account } = person;
  return account;
};

/** As much of a conversation as names its requester. */
interface Opened {
  id_project: string;
  requester?: string | null;
}

const keysOf = ({ id_project, requester }: Opened): string[] => (isId(requester) ? [keyOf(id_project, requester)] : []);

/** Tells the membership behind each conversation as it is now; without `live` only those that are known, and nothing is read. */
export const membersOf = async (
  conversations: Opened[],
  live: boolean,
): Promise<(one: Opened) => Stored | undefined> => {
  const keys = conversations.flatMap(keysOf);
  const found = live ? await members.recall(keys, readMembers, LIVE_MS) : members.here(keys);
  return (one) => keysOf(one).flatMap((key) => found.get(key) ?? [])[0];
};
