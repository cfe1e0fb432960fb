/**
 * The state of a project after its writes, and the rules of assignment, written independently of the product.
 */
import type { StoredRecord, Write } from './write-log.ts';

/** The fields that routing uses, for each kind of record. */
export interface MemberRecord {
  _id: string;
  id_user: string;
  roleType: number;
  status: string;
  trashed: boolean;
  user_available: boolean;
  max_assigned_chat?: number;
  number_assigned_requests: number;
  reservations?: { request: string }[];
  last_assigned_at?: string;
}

export interface ConversationRecord {
  _id: string;
  request_id: string;
  ticket_id: number;
  department: string;
  status: number;
  workingStatus?: string;
  participants: string[];
  participantsAgents: string[];
  smartAssignment: boolean;
  preflight: boolean;
  attributes?: { abandoned_by_project_users?: Record<string, number> };
}

export interface DepartmentRecord {
  _id: string;
  routing: string;
  id_group?: string;
  groups?: { id_group: string; percentage?: number }[];
}

export interface GroupRecord {
  _id: string;
  members: string[];
  enabled: boolean;
  trashed: boolean;
}

interface ProjectRecord {
  attributes?: { step?: number };
  activeOperatingHours: boolean;
  operatingHours?: string;
  settings: { chat_limit_on?: boolean; max_agent_assigned_chat?: number };
}

const CLOSED_STATUS = 1000;
const WAITING_STATUS = 100;

/** Operating hours with the same ranges on every day. */
const everyDay = (ranges: object[]) =>
  JSON.stringify({ tzname: 'UTC', ...Object.fromEntries(Array.from({ length: 7 }, (_, day) => [day, ranges])) });
export const ALWAYS_OPEN = everyDay([{ start: '00:00', end: '24:00' }]);
export const NEVER_OPEN = everyDay([]);

/** The records of one project. */
export class RoutingState {
  readonly members = new Map<string, MemberRecord>();
  readonly requests = new Map<string, ConversationRecord>();
  readonly departments = new Map<string, DepartmentRecord>();
  readonly groups = new Map<string, GroupRecord>();
  project: ProjectRecord | undefined;

  /** Applies a write. */
  applyWrite({ collection, before, after }: Write): void {
    if (collection === 'projects') this.project = after as unknown as ProjectRecord;
    const records = this.#recordsOf(collection);
    const { _id } = (after ?? before) as { _id: string };
    if (after) records?.set(_id, after);
    else records?.delete(_id);
  }

  #recordsOf(collection: string): Map<string, StoredRecord> | undefined {
    const all: Record<string, unknown> = {
      project_users: this.members,
      requests: this.requests,
      departments: this.departments,
      groups: this.groups,
    };
    return all[collection] as Map<string, StoredRecord> | undefined;
  }

  isOpen(): boolean {
    return !this.project?.activeOperatingHours || this.project.operatingHours === ALWAYS_OPEN;
  }

  /** The limit on open conversations for teammates without their own limit. */
  projectLimit(): number {
    const { chat_limit_on, max_agent_assigned_chat: most = 0 } = this.project?.settings ?? {};
    return chat_limit_on && most > 0 ? most : Number.POSITIVE_INFINITY;
  }

  /** The limit on open conversations for a teammate. */
  capacityOf({ max_assigned_chat: own = 0 }: MemberRecord, limit = this.projectLimit()): number {
    return own > 0 ? own : limit;
  }

  /** The groups of a department with their percentages; null if the whole team serves it. */
  groupsOfDepartment({ groups = [], id_group }: DepartmentRecord): { team: GroupRecord; percentage?: number }[] | null {
    const usable = (id: string): GroupRecord[] => {
      const team = this.groups.get(id);
      return team?.enabled && !team.trashed ? [team] : [];
    };
    const several = groups.flatMap((share) =>
      usable(share.id_group).map((team) => ({ team, percentage: share.percentage })),
    );
    if (several.length) return several;
    const [one] = id_group ? usable(id_group) : [];
    return one ? [{ team: one }] : null;
  }

  /** The ids of the users who serve a department, available or not. */
  candidatesOf(department: DepartmentRecord): Set<string> {
    const serving = this.groupsOfDepartment(department);
    const team = [...this.members.values()].filter(({ roleType, status, trashed }) => {
      return roleType === 1 && status === 'active' && !trashed;
    });
    const all = team.map(({ id_user }) => id_user);
    if (!serving) return new Set(all);
    const shared = serving.some(({ percentage }) => percentage !== undefined);
    const used = shared ? serving.filter(({ percentage = 0 }) => percentage > 0) : serving;
    const members = new Set(used.flatMap(({ team: { members } }) => members));
    return new Set(all.filter((user) => members.has(user)));
  }

  hasDeclined({ _id }: MemberRecord, { attributes }: ConversationRecord): boolean {
    return _id in (attributes?.abandoned_by_project_users ?? {});
  }

  /** The agents to whom a conversation could be assigned now. */
  eligibleMembers(request: ConversationRecord): MemberRecord[] {
    const department = this.departments.get(request.department);
    if (!department || !this.isOpen()) return [];
    const candidates = this.candidatesOf(department);
    return [...this.members.values()].filter(
      (member) =>
        candidates.has(member.id_user) &&
        member.user_available &&
        !this.hasDeclined(member, request) &&
        member.number_assigned_requests < this.capacityOf(member),
    );
  }

  /** The conversations that wait in departments with automatic assignment, oldest first. */
  waitingConversations(): ConversationRecord[] {
    return [...this.requests.values()]
      .filter(
        ({ status, workingStatus, participants, smartAssignment, preflight, department }) =>
          status === WAITING_STATUS &&
          workingStatus !== 'pending' &&
          !participants.length &&
          smartAssignment &&
          !preflight &&
          this.departments.get(department)?.routing === 'assigned',
      )
      .toSorted((one, other) => one.ticket_id - other.ticket_id);
  }

  /** The ids of the conversations that do not wait in departments with automatic assignment. */
  idsNotWaiting(): Set<string> {
    const waiting = new Set(this.waitingConversations().map(({ _id }) => _id));
    return new Set([...this.requests.values()].flatMap(({ _id }) => (waiting.has(_id) ? [] : [_id])));
  }

  /** The number of open conversations that count towards the limit of a user. */
  countOpenOf(user: string): number {
    return [...this.requests.values()].filter(
      ({ status, workingStatus, participantsAgents }) =>
        status < CLOSED_STATUS && workingStatus !== 'pending' && participantsAgents.includes(user),
    ).length;
  }
}
