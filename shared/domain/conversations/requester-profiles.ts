/** Requesters of conversations: the membership of the person who opened one, with the account. */
import { readMany } from '../../database/raw-read.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { isId } from '../../wire/view.ts';
import { type StoredMembership, TEAMMATE_FIELDS, type UpdatedTeammate, updateView } from '../team/membership-views.ts';
import type { Person } from './participant-profiles.ts';
import { MAX_LIVE_AGE_MS, RecordCache } from './record-cache.ts';

/** Maximum size of a free-form field in a copy of a membership; a larger field is left out of the copy. */
const MAX_FIELD_BYTES = 2048;

const limitedField = (name: string, replacement: unknown = '$$REMOVE') => ({
  $cond: [{ $lte: [{ $bsonSize: { field: `$${name}` } }, MAX_FIELD_BYTES] }, `$${name}`, replacement],
});

const REQUESTER_FIELDS = {
  ...TEAMMATE_FIELDS,
  attributes: limitedField('attributes'),
  settings: limitedField('settings'),
  tags: limitedField('tags', []),
} as unknown as typeof TEAMMATE_FIELDS;

/** The view of a membership in conversations. */
export type Requester = Omit<UpdatedTeammate, 'id_user'> & { id_user?: Omit<Person, 'phone'> };

const membershipCache = new RecordCache<StoredMembership>();

const keyOf = (id_project: string, membership: string): string => `${id_project} ${membership}`;

const readMemberships = async (
  filter: Parameters<typeof readMany<typeof ProjectUser, typeof REQUESTER_FIELDS>>[1],
): Promise<StoredMembership[]> => {
  const found = await readMany(ProjectUser, filter, { fields: REQUESTER_FIELDS });
  return found as unknown as StoredMembership[];
};

const loadMemberships = async (keys: string[]) => {
  const [projects, ids] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split(' ')[part] as string))]);
  const found = await readMemberships({ id_project: { $in: projects as string[] }, _id: { $in: ids } });
  return found.map((member) => [keyOf(member.id_project, String(member._id)), member] as const);
};

/** Returns an active membership by the id of the account or visitor. */
export const findActiveMembership = async (id_project: string, user: string): Promise<StoredMembership | undefined> => {
  const userFilter = isId(user) ? { id_user: user } : { uuid_user: user };
  const [member] = await readMemberships({ id_project, ...ACTIVE_MEMBER, ...userFilter });
  if (member) membershipCache.set(keyOf(id_project, String(member._id)), member);
  return member;
};

/** Returns a membership of the project by its id, possibly from the cache. */
export const findMembership = async (id_project: string, membership: string): Promise<StoredMembership | undefined> => {
  const key = keyOf(id_project, membership);
  return isId(membership) ? (await membershipCache.load([key], loadMemberships)).get(key) : undefined;
};

/** Returns the view of a membership in conversations, with its account. */
export const requesterView = (member: StoredMembership, person?: Person): Requester => {
  const { id_user: _, ...rest } = updateView(member);
  const requester = { ...rest, _id: String(member._id), id: String(member._id) };
  return person ? { ...requester, id_user: accountView(person) } : requester;
};

/** Returns the view of an account in conversations. */
export const accountView = (person: Person): Omit<Person, 'phone'> => {
  const { phone: _, ...account } = person;
  return account;
};

/** The fields of a conversation that refer to its requester. */
interface RequesterRef {
  id_project: string;
  requester?: string | null;
}

const keysOf = ({ id_project, requester }: RequesterRef): string[] =>
  isId(requester) ? [keyOf(id_project, requester)] : [];

/**
 * Returns a function that finds the membership of a conversation's requester. Unless `live` is set, it finds only
 * cached memberships, without a query.
 */
export const membershipLookup = async (
  conversations: RequesterRef[],
  live: boolean,
): Promise<(one: RequesterRef) => StoredMembership | undefined> => {
  const keys = conversations.flatMap(keysOf);
  const found = live ? await membershipCache.load(keys, loadMemberships, MAX_LIVE_AGE_MS) : membershipCache.peek(keys);
  return (one) => keysOf(one).flatMap((key) => found.get(key) ?? [])[0];
};
