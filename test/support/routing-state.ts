/** A project as its writes left it, and what the contract says of who may be given what in it; nothing here is the product's. */
import type { Stored, Write } from './write-log.ts';

/** As much of each record as the rules of routing speak of. */
export interface Member {
  _id: string;
  id_user: string;
  roleType: number;
  status: string;
  trashed: boolean;
  user_available: boolean;
  max_assigned_chat?: number;
  number_assigned_requests: number;
  claims?: { request: string }[];
  last_assigned_at?: string;
}

export interface Conversation {
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

export interface Section {
  _id: string;
  routing: string;
  id_group?: string;
  groups?: { id_group: string; percentage?: number }[];
}

export interface Team {
  _id: string;
  members: string[];
  enabled: boolean;
  trashed: boolean;
}

interface Firm {
  attributes?: { step?: number };
  activeOperatingHours: boolean;
  operatingHours?: string;
  settings: { chat_limit_on?: boolean; max_agent_assigned_chat?: number };
}

const CLOSED = 1000;
const WAITING = 100;

/** Hours that are open, and closed, at any time. */
const everyDay = (ranges: object[]) =>
  JSON.stringify({ tzname: 'UTC', ...Object.fromEntries(Array.from({ length: 7 }, (_, day) => [day, ranges])) });
export const ALWAYS = everyDay([{ start: '00:00', end: '24:00' }]);
export const NEVER = everyDay([]);

/** The records of one project. */
export class State {
  readonly members = new Map<string, Member>();
  readonly requests = new Map<string, Conversation>();
  readonly departments = new Map<string, Section>();
  readonly groups = new Map<string, Team>();
  project: Firm | undefined;

  /** Take over what a write made of a record. */
  take({ collection, before, after }: Write): void {
    if (collection === 'projects') this.project = after as unknown as Firm;
    const records = this.#recordsOf(collection);
    const { _id } = (after ?? before) as { _id: string };
    if (after) records?.set(_id, after);
    else records?.delete(_id);
  }

  #recordsOf(collection: string): Map<string, Stored> | undefined {
    const all: Record<string, unknown> = {
      project_users: this.members,
      requests: this.requests,
      departments: this.departments,
      groups: this.groups,
    };
    return all[collection] as Map<string, Stored> | undefined;
  }

  isOpen(): boolean {
    return !this.project?.activeOperatingHours || this.project.operatingHours === ALWAYS;
  }

  /** Most open conversations of a teammate without a limit of its own. */
  limit(): number {
    const { chat_limit_on, max_agent_assigned_chat: most = 0 } = this.project?.settings ?? {};
    return chat_limit_on && most > 0 ? most : Number.POSITIVE_INFINITY;
  }

  /** Most open conversations of a teammate. */
  capacityOf({ max_assigned_chat: own = 0 }: Member, limit = this.limit()): number {
    return own > 0 ? own : limit;
  }

  /** The groups that serve a department, with their shares; null where the whole team does. */
  servingOf({ groups = [], id_group }: Section): { team: Team; share?: number }[] | null {
    const usable = (id: string): Team[] => {
      const team = this.groups.get(id);
      return team?.enabled && !team.trashed ? [team] : [];
    };
    const several = groups.flatMap((share) =>
      usable(share.id_group).map((team) => ({ team, share: share.percentage })),
    );
    if (several.length) return several;
    const [one] = id_group ? usable(id_group) : [];
    return one ? [{ team: one }] : null;
  }

  /** Users who may be given conversations of a department, be they there or not. */
  candidatesOf(department: Section): Set<string> {
    const serving = this.servingOf(department);
    const team = [...this.members.values()].filter(({ roleType, status, trashed }) => {
      return roleType === 1 && status === 'active' && !trashed;
    });
    const all = team.map(({ id_user }) => id_user);
    if (!serving) return new Set(all);
    const shared = serving.some(({ share }) => share !== undefined);
    const used = shared ? serving.filter(({ share = 0 }) => share > 0) : serving;
    const members = new Set(used.flatMap(({ team: { members } }) => members));
    return new Set(all.filter((user) => members.has(user)));
  }

  hasLeft({ _id }: Member, { attributes }: Conversation): boolean {
    return _id in (attributes?.abandoned_by_project_users ?? {});
  }

  /** Those who could be given a conversation now. */
  takersOf(request: Conversation): Member[] {
    const department = this.departments.get(request.department);
    if (!department || !this.isOpen()) return [];
    const candidates = this.candidatesOf(department);
    return [...this.members.values()].filter(
      (member) =>
        candidates.has(member.id_user) &&
        member.user_available &&
        !this.hasLeft(member, request) &&
        member.number_assigned_requests < this.capacityOf(member),
    );
  }

  /** The conversations that wait in departments with automatic assignment, oldest first. */
  waiting(): Conversation[] {
    return [...this.requests.values()]
      .filter(
        ({ status, workingStatus, participants, smartAssignment, preflight, department }) =>
          status === WAITING &&
          workingStatus !== 'pending' &&
          !participants.length &&
          smartAssignment &&
          !preflight &&
          this.departments.get(department)?.routing === 'assigned',
      )
      .toSorted((one, other) => one.ticket_id - other.ticket_id);
  }

  /** How many open conversations count for a user. */
  carriedBy(user: string): number {
    return [...this.requests.values()].filter(
      ({ status, workingStatus, participantsAgents }) =>
        status < CLOSED && workingStatus !== 'pending' && participantsAgents.includes(user),
    ).length;
  }
}
