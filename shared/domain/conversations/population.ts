/** Populates conversations with related records: requester, department and participants. */
import { readMany } from '../../database/raw-read.ts';
import { Department } from '../../models/department.ts';
import { compatibility } from '../../wire/compatibility.ts';
import { isId } from '../../wire/view.ts';
import * as departments from '../departments/departments.ts';
import { botLookup, type Person, personLookup } from './participant-profiles.ts';
import { MAX_LIVE_AGE_MS, RecordCache } from './record-cache.ts';
import { accountView, membershipLookup, type Requester, requesterView } from './requester-profiles.ts';

/** The fields of a stored conversation that refer to other records. */
interface ConversationRefs {
  id_project: string;
  requester?: string | null;
  department?: string | null;
  participantsAgents: string[];
  participantsBots: string[];
  snapshot: object;
}

const departmentCache = new RecordCache<departments.DepartmentDetail>();

const keysOf = ({ id_project, department }: Pick<ConversationRefs, 'id_project' | 'department'>): string[] =>
  isId(department) ? [`${id_project} ${department}`] : [];

const loadDepartments = async (keys: string[]) => {
  const [projects, ids] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split(' ')[part] as string))]);
  const filter = { id_project: { $in: projects as string[] }, _id: { $in: ids as string[] } };
  const found = (await readMany(Department, filter, { fields: departments.DEPARTMENT_FIELDS })) as never[];
  return found.map(departments.detailView).map((each) => [`${each.id_project} ${String(each._id)}`, each] as const);
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
    conversations.flatMap(keysOf),
    loadDepartments,
    live ? MAX_LIVE_AGE_MS : undefined,
  );
  return (one: Pick<ConversationRefs, 'id_project' | 'department'>): departments.DepartmentDetail | undefined =>
    keysOf(one).flatMap((key) => found.get(key) ?? [])[0];
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
 * a query.
 */
export const populator = async (conversations: ConversationRefs[], live: boolean) => {
  const ids = (one: ConversationRefs) => ({
    id_project: one.id_project,
    ids: [...one.participantsAgents, ...requesterAccountIds(one)],
  });
  const [personOf, bots, memberOf, departmentOf] = await Promise.all([
    personLookup(conversations.map(ids)),
    botLookup(conversations),
    membershipLookup(conversations, live),
    compatibility.embedsDepartment ? departmentLookup(conversations, live) : null,
  ]);
  return (one: ConversationRefs) => {
    const participants = one.participantsAgents.flatMap((id) => personOf(one.id_project, id) ?? []);
    const [requester] = requesterAccountIds(one);
    return {
      requester: currentRequester(one, memberOf(one), requester ? personOf(one.id_project, requester) : undefined),
      ...(departmentOf && { department: departmentOf(one) }),
      participatingAgents: participants.map(accountView),
      participatingBots: bots(one).map((bot) => ({ ...bot })),
    };
  };
};
