/** What a conversation shows of other records: its requester, its department and those who take part. */
import { Department } from '../../models/department.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { wire } from '../../wire-profile.ts';
import * as departments from '../team/departments.ts';
import { botsOf, peopleIn, type Person } from './participating.ts';
import { LIVE_MS, Remembered } from './remembered.ts';
import { account, membersOf, type Requester, shown } from './requesters.ts';

/** As much of a stored conversation as names other records. */
interface Named {
  id_project: string;
  requester?: string | null;
  department?: string | null;
  participantsAgents: string[];
  participantsBots: string[];
  snapshot: object;
}

const known = new Remembered<departments.Whole>();

const keysOf = ({ id_project, department }: Pick<Named, 'id_project' | 'department'>): string[] =>
  isId(department) ? [`${id_project} ${department}`] : [];

const readDepartments = async (keys: string[]) => {
  const [projects, ids] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split(' ')[part] as string))]);
  const filter = { id_project: { $in: projects as string[] }, _id: { $in: ids as string[] } };
  const found = (await readMany(Department, filter, { fields: departments.FIELDS })) as never[];
  return found.map(departments.show).map((each) => [`${each.id_project} ${String(each._id)}`, each] as const);
};

/** Tells the department of each conversation as it is now, or without `live` as it was within the last half minute. */
export const departmentsOf = async (conversations: Pick<Named, 'id_project' | 'department'>[], live: boolean) => {
  const found = await known.recall(conversations.flatMap(keysOf), readDepartments, live ? LIVE_MS : undefined);
  return (one: Pick<Named, 'id_project' | 'department'>): departments.Whole | undefined =>
    keysOf(one).flatMap((key) => found.get(key) ?? [])[0];
};

const requesterIn = ({ snapshot }: Named) => (snapshot as { requester?: Requester }).requester;

const accountIn = (request: Named): string[] => {
  const { _id } = (requesterIn(request)?.id_user ?? {}) as { _id?: unknown };
  return _id ? [String(_id)] : [];
};

const requesterOf = (request: Named, member: Parameters<typeof shown>[0] | undefined, person?: Person) => {
  const kept = requesterIn(request);
  if (!member) return kept;
  const now = shown(member, person);
  return now.id_user || !kept?.id_user ? now : { ...now, id_user: kept.id_user };
};

/**
 * Tells of each conversation what it shows of other records; a list reads each kind of them at once. Without `live`
 * the requester is as this process or the conversation knows it, and costs no query.
 */
export const populationOf = async (conversations: Named[], live: boolean) => {
  const ids = (one: Named) => ({ id_project: one.id_project, ids: [...one.participantsAgents, ...accountIn(one)] });
  const [personOf, bots, memberOf, departmentOf] = await Promise.all([
    peopleIn(conversations.map(ids)),
    botsOf(conversations),
    membersOf(conversations, live),
    wire.wholeDepartment ? departmentsOf(conversations, live) : null,
  ]);
  return (one: Named) => {
    const participants = one.participantsAgents.flatMap((id) => personOf(one.id_project, id) ?? []);
    const [requester] = accountIn(one);
    return {
      requester: requesterOf(one, memberOf(one), requester ? personOf(one.id_project, requester) : undefined),
      ...(departmentOf && { department: departmentOf(one) }),
      participatingAgents: participants.map(account),
      participatingBots: bots(one).map((bot) => ({ ...bot })),
    };
  };
};
