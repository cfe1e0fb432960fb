/**
 * Populates conversations with the records to which they refer: the membership of the requester (who opened the
 * conversation), the department, the agents and the participants.
 */
import type { Types } from 'mongoose';
import { keyOf, MAX_LIVE_AGE_MS, RecordCache, splitKeys } from '../../concurrency/record-cache.ts';
import { readMany } from '../../database/raw-read.ts';
import { Department } from '../../models/department.ts';
import {
  ACTIVE_MEMBER,
  ProjectUser,
  type StoredMembership,
  TEAMMATE_FIELDS,
  type UpdatedTeammate,
  updateView,
} from '../../models/project-user.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { isId } from '../../wire/view.ts';
import * as departments from '../departments/departments.ts';
import { botLookup, type Person, personLookup } from './participants.ts';

/** Maximum size of a free-form field in a copy of a membership. A larger field is omitted from the copy. */
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

const readMemberships = async (
  filter: Parameters<typeof readMany<typeof ProjectUser, typeof REQUESTER_FIELDS>>[1],
): Promise<StoredMembership[]> => {
  const found = await readMany(ProjectUser, filter, { fields: REQUESTER_FIELDS });
  return found as unknown as StoredMembership[];
};

const loadMemberships = async (keys: string[]) => {
  const [projects, ids] = splitKeys(keys);
  const found = await readMemberships({ id_project: { $in: projects }, _id: { $in: ids } });
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

/** The fields of a conversation that refer to its requester and to the agents whom routing considered. */
interface RequesterRef {
  id_project: string;
  requester?: string | null;
  agents?: AgentRef[] | null;
}

interface AgentRef {
  _id: Types.ObjectId | string;
  id_user: Types.ObjectId | string;
  role: string;
}

/** Maximum number of agents with complete records per conversation. Any other agents have only ids and a role. */
const MAX_WHOLE_AGENTS = 20;

const wholeAgents = ({ agents }: RequesterRef): AgentRef[] => agents?.slice(0, MAX_WHOLE_AGENTS) ?? [];

const agentKey = ({ id_project }: RequesterRef, { _id }: AgentRef): string => keyOf(id_project, String(_id));

const requesterKeys = ({ id_project, requester }: RequesterRef): string[] =>
  isId(requester) ? [keyOf(id_project, requester)] : [];

/**
 * Returns the memberships of requesters and agents by project and id. Unless `live` is set, returns only the cached
 * memberships of requesters, without a query.
 */
const loadMembers = async (conversations: RequesterRef[], live: boolean): Promise<Map<string, StoredMembership>> => {
  const keys = conversations.flatMap(requesterKeys);
  if (!live) return membershipCache.peek(keys);
  const agentKeys = conversations.flatMap((one) => wholeAgents(one).map((agent) => agentKey(one, agent)));
  return membershipCache.load([...keys, ...agentKeys], loadMemberships, MAX_LIVE_AGE_MS);
};

/** Returns the view of an agent in a conversation. */
const agentView = ({ id_user }: AgentRef, member: StoredMembership, person?: Person) => {
  const { attributes: _, settings: __, ...record } = requesterView(member, person);
  return { ...record, id_user: record.id_user ?? { _id: id_user } };
};

/** Returns the view of an agent whose membership was not found, or not looked up: only ids and the role. */
const agentReference = ({ _id, id_user, role }: AgentRef) => ({ _id, id_user: { _id: id_user }, role });

type AgentView = ReturnType<typeof agentView> | ReturnType<typeof agentReference>;

/** Converts ids and times to text, as in JSON. */
const toPlainJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * Returns a function that returns the view of an agent in a conversation. The conversations of a list usually have the
 * same agents. Therefore, the view of each agent is built once for the list, and its ids and times are converted to
 * text once: the conversion takes most of the time of `JSON.stringify`.
 */
const agentLookup = (members: Map<string, StoredMembership>, personOf: Awaited<ReturnType<typeof personLookup>>) => {
  const views = new Map<string, AgentView>();
  return (conversation: RequesterRef, agent: AgentRef): AgentView => {
    const key = agentKey(conversation, agent);
    const known = views.get(key);
    if (known) return known;
    const member = members.get(key);
    if (!member) return agentReference(agent);
    const person = personOf(conversation.id_project, String(agent.id_user));
    const view = toPlainJson(agentView(agent, member, person));
    views.set(key, view);
    return view;
  };
};

/** The fields of a stored conversation that refer to other records. */
interface ConversationRefs extends RequesterRef {
  department?: string | null;
  participantsAgents: string[];
  participantsBots: string[];
  snapshot: object;
}

const departmentCache = new RecordCache<departments.DepartmentDetail>();

const departmentKeys = ({ id_project, department }: Pick<ConversationRefs, 'id_project' | 'department'>): string[] =>
  isId(department) ? [keyOf(id_project, department)] : [];

const loadDepartments = async (keys: string[]) => {
  const [projects, ids] = splitKeys(keys);
  const filter = { id_project: { $in: projects }, _id: { $in: ids } };
  const found = (await readMany(Department, filter, { fields: departments.DEPARTMENT_FIELDS })) as never[];
  return found.map(departments.detailView).map((each) => [keyOf(each.id_project, String(each._id)), each] as const);
};

/**
 * Returns a function that finds the department of a conversation. Unless `live` is set, the department may be up to 30
 * seconds old.
 */
export const departmentLookup = async (
  conversations: Pick<ConversationRefs, 'id_project' | 'department'>[],
  live: boolean,
) => {
  const found = await departmentCache.load(
    conversations.flatMap(departmentKeys),
    loadDepartments,
    live ? MAX_LIVE_AGE_MS : undefined,
  );
  return (one: Pick<ConversationRefs, 'id_project' | 'department'>): departments.DepartmentDetail | undefined =>
    departmentKeys(one).flatMap((key) => found.get(key) ?? [])[0];
};

const storedRequester = ({ snapshot }: ConversationRefs) => (snapshot as { requester?: Requester }).requester;

const requesterAccountIds = (request: ConversationRefs): string[] => {
  const { _id } = (storedRequester(request)?.id_user ?? {}) as { _id?: unknown };
  return _id ? [String(_id)] : [];
};

const currentRequester = (
  request: ConversationRefs,
  member: Parameters<typeof requesterView>[0] | undefined,
  person?: Person,
) => {
  const stored = storedRequester(request);
  if (!member) return stored;
  const current = requesterView(member, person);
  return current.id_user || !stored?.id_user ? current : { ...current, id_user: stored.id_user };
};

/**
 * Returns a function that computes the populated fields of a conversation. Each kind of record is read once for the
 * whole list. Unless `live` is set, the requester is taken from the cache or from the conversation's snapshot, without
 * a query, and agents have only ids and a role.
 */
export const populator = async (conversations: ConversationRefs[], live: boolean) => {
  const ids = (one: ConversationRefs) => ({
    id_project: one.id_project,
    ids: [
      ...[...one.participantsAgents, ...requesterAccountIds(one)],
      ...(live ? wholeAgents(one).map(({ id_user }) => String(id_user)) : []),
    ],
  });
  const [personOf, bots, members, departmentOf] = await Promise.all([
    personLookup(conversations.map(ids)),
    botLookup(conversations),
    loadMembers(conversations, live),
    compatibility.embedsDepartment ? departmentLookup(conversations, live) : null,
  ]);
  const agentOf = agentLookup(members, personOf);
  return (one: ConversationRefs) => {
    const participants = one.participantsAgents.flatMap((id) => personOf(one.id_project, id) ?? []);
    const [requester] = requesterAccountIds(one);
    const [member] = requesterKeys(one).flatMap((key) => members.get(key) ?? []);
    const agents = (one.agents ?? []).map((agent) => agentOf(one, agent));
    return {
      requester: currentRequester(one, member, requester ? personOf(one.id_project, requester) : undefined),
      agents,
      snapshot: { ...one.snapshot, agents },
      ...(departmentOf && { department: departmentOf(one) }),
      participatingAgents: participants.map(accountView),
      participatingBots: bots(one).map((bot) => ({ ...bot })),
    };
  };
};
