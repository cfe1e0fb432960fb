/** Checks every write of a project against the rules of assignment. */
import {
  type ConversationRecord,
  type DepartmentRecord,
  type GroupRecord,
  type MemberRecord,
  RoutingState,
} from './routing-state.ts';
import type { Write, WriteCommit } from './write-log.ts';

/** The properties of a step (one or more concurrent actions) on which the rules depend. */
export interface RoutingStep {
  /** How many calls or workers may reserve agents concurrently. */
  concurrentReservations: number;
  /** Whether the step has at most one action, so that nothing happens concurrently. */
  isExclusive: boolean;
  /** The `request_id`s of conversations that an action of this step routes again, even if they already have agents. */
  rerouted: string[];
  /** Whether no conversation that an agent could take may be waiting at the end of the step. */
  endsQuiet: boolean;
}

interface ReservationState {
  user: string;
  open: number;
  capacity: number;
  available: boolean;
  fewestOpen: number;
  /** The ids of the conversations that waited when the agent was reserved. */
  waiting: Set<string>;
}

type EmittedEvent = [name: string, payload?: { assignmentType?: string; assigneeType?: string; assigneeId?: string }];

const emittedEvents = ({ before, after }: Write): EmittedEvent[] => {
  const text = after?._events as string | undefined;
  if (!text || text === before?._events) return [];
  return (JSON.parse(text) as unknown[]).filter((each) => Array.isArray(each)) as EmittedEvent[];
};

const AUTOMATIC_TYPES = new Set<string | undefined>(['auto', 'manual_reassign_department']);

const automaticAssignee = (write: Write): string | undefined =>
  emittedEvents(write).find(
    ([name, payload]) =>
      name === 'request.assigned' && AUTOMATIC_TYPES.has(payload?.assignmentType) && payload?.assigneeType === 'user',
  )?.[1]?.assigneeId;

const reservedConversations = (member: MemberRecord | null): Set<string> =>
  new Set(member?.reservations?.map(({ request }) => request));

const FIRST_STEP: RoutingStep = { concurrentReservations: 1, isExclusive: true, rerouted: [], endsQuiet: false };

/** The oracle of one project. */
export class RoutingOracle {
  readonly violations: string[] = [];
  /** Automatic assignments so far, in order. */
  readonly assigned: { request: string; user: string; department: string; overtaken: number }[] = [];
  /** The number of automatic assignments by the end of each step with `endsQuiet`. */
  readonly quietAfter: number[] = [];
  readonly state = new RoutingState();
  readonly #reservations = new Map<string, ReservationState>();
  #step = FIRST_STEP;
  /**
   * In a step with concurrent actions, the conversations that existed at its start and did not wait. Routing may look
   * for earlier tickets just before an agent leaves one of these conversations or it is reopened, and overtake it.
   */
  #notWaitingAtStart = new Set<string>();
  /**
   * What was seen in this step: whether the project was open at any moment, its highest limit on open conversations,
   * and all agents of each department.
   */
  #seenInStep = { open: false, limit: 0, candidates: new Map<string, Set<string>>() };

  /** Starts a step. */
  begin(step: RoutingStep): void {
    if (this.#step.endsQuiet) this.#expectQuiet();
    this.#step = step;
    this.#reservations.clear();
    this.#notWaitingAtStart = step.isExclusive ? new Set() : this.state.idsNotWaiting();
    this.#seenInStep = { open: false, limit: 0, candidates: new Map() };
    this.#widenSeen();
  }

  /** Checks the writes of a commit. */
  applyCommit(commit: WriteCommit): void {
    for (const write of commit) {
      if (write.collection === 'project_users') this.#noteReservations(write);
      this.state.applyWrite(write);
    }
    if (commit.some(({ collection }) => collection !== 'requests' && collection !== 'project_users')) this.#widenSeen();
    for (const write of commit) {
      const user = write.collection === 'requests' && automaticAssignee(write);
      if (user)
        this.#judgeAssignment(
          write.before as ConversationRecord | null,
          write.after as unknown as ConversationRecord,
          user,
        );
    }
  }

  #fail(text: string): void {
    this.violations.push(text);
  }

  /**
   * Adds the current state to what was seen in this step. Routing may use data that it read shortly before its
   * reservation, so it may rely on anything seen in this step.
   */
  #widenSeen(): void {
    const { state } = this;
    const { candidates } = this.#seenInStep;
    this.#seenInStep.open ||= state.isOpen();
    this.#seenInStep.limit = Math.max(this.#seenInStep.limit, state.projectLimit());
    for (const [id, department] of state.departments)
      candidates.set(id, state.candidatesOf(department).union(candidates.get(id) ?? new Set()));
  }

  #noteReservations({ before, after }: Write): void {
    const [was, is] = [before as MemberRecord | null, after as MemberRecord | null];
    if (!is) return;
    const had = reservedConversations(was);
    for (const request of reservedConversations(is))
      if (!had.has(request)) this.#reservations.set(`${request} ${is.id_user}`, this.#reservationState(was ?? is));
  }

  #reservationState(member: MemberRecord): ReservationState {
    const free = [...this.state.members.values()].filter(
      (each) =>
        each.roleType === 1 && each.user_available && each.number_assigned_requests < this.state.capacityOf(each),
    );
    return {
      user: member.id_user,
      open: member.number_assigned_requests,
      capacity: this.state.capacityOf(member, this.#seenInStep.limit),
      available: member.user_available && member.status === 'active' && !member.trashed,
      fewestOpen: Math.min(...free.map((each) => each.number_assigned_requests)),
      waiting: new Set(this.state.waitingConversations().map(({ _id }) => _id)),
    };
  }

  /** Checks an automatic assignment. */
  #judgeAssignment(before: ConversationRecord | null, after: ConversationRecord, user: string): void {
    const claim = this.#reservations.get(`${after._id} ${user}`);
    const name = `ticket ${after.ticket_id}`;
    if (after.participants.join() !== user) this.#fail(`${name} has ${after.participants.join()} instead of ${user}`);
    if (before?.participantsAgents.length && !this.#step.rerouted.includes(after.request_id))
      this.#fail(`${name} was assigned to ${user} although it had ${before.participantsAgents.join()}`);
    if (!claim) return this.#fail(`${name} was assigned to ${user} without a reservation in this step`);
    this.#judgeReservation(name, after, claim);
    const overtaken = this.#overtaken(after, claim);
    if (overtaken.length >= this.#step.concurrentReservations)
      this.#fail(
        `${name} overtook ${overtaken.map(({ ticket_id }) => ticket_id).join()}; concurrent reservations: ${this.#step.concurrentReservations}`,
      );
    this.assigned.push({ request: after._id, user, department: after.department, overtaken: overtaken.length });
  }

  #judgeReservation(
    name: string,
    request: ConversationRecord,
    { user, open, capacity, available, fewestOpen: fewest }: ReservationState,
  ): void {
    const member = [...this.state.members.values()].find(({ id_user }) => id_user === user) as MemberRecord;
    if (open >= capacity) this.#fail(`${name}: ${user} already had ${open} of at most ${capacity} conversations`);
    if (!available) this.#fail(`${name}: ${user} was not available`);
    if (!this.#seenInStep.open) this.#fail(`${name} was assigned while the project was closed`);
    if (!this.#seenInStep.candidates.get(request.department)?.has(user))
      this.#fail(`${name}: ${user} does not serve the department`);
    if (this.state.hasDeclined(member, request)) this.#fail(`${name}: ${user} had left it`);
    const department = this.state.departments.get(request.department) as DepartmentRecord;
    if (
      this.#step.isExclusive &&
      !this.state.groupsOfDepartment(department) &&
      open > fewest &&
      !this.#wasDeclined(request)
    )
      this.#fail(`${name}: ${user} had ${open} open conversations, another agent ${fewest}`);
  }

  #wasDeclined({ attributes }: ConversationRecord): boolean {
    return Object.keys(attributes?.abandoned_by_project_users ?? {}).length > 0;
  }

  /**
   * Earlier tickets of the department that waited at the time of the reservation, still wait, and could have been
   * assigned to the same agent. Those that did not wait at the start of the step are not counted.
   */
  #overtaken(request: ConversationRecord, { user, waiting }: ReservationState): ConversationRecord[] {
    const member = [...this.state.members.values()].find(({ id_user }) => id_user === user) as MemberRecord;
    return this.state
      .waitingConversations()
      .filter(
        (older) =>
          older.department === request.department &&
          older.ticket_id < request.ticket_id &&
          waiting.has(older._id) &&
          !this.#notWaitingAtStart.has(older._id) &&
          !this.state.hasDeclined(member, older),
      );
  }

  #expectQuiet(): void {
    this.quietAfter.push(this.assigned.length);
    for (const request of this.state.waitingConversations()) {
      const [taker] = this.state.eligibleMembers(request);
      if (taker) this.#fail(`ticket ${request.ticket_id} waits while ${taker.id_user} is free`);
    }
    for (const {
      id_user,
      roleType,
      number_assigned_requests: load,
      reservations = [],
    } of this.state.members.values()) {
      if (roleType !== 1) continue;
      const carried = this.state.countOpenOf(id_user);
      if (load !== carried || reservations.length !== carried)
        this.#fail(
          `${id_user} has a count of ${load}, ${reservations.length} reservations and ${carried} conversations`,
        );
    }
  }

  /** The largest deviation of a group from its share, in conversations, after the first `count` assignments. */
  shareDeviation(department: string, count: number): number {
    const shares = this.state.groupsOfDepartment(this.state.departments.get(department) as DepartmentRecord) ?? [];
    const all = this.assigned.slice(0, count).filter((each) => each.department === department);
    const whole = shares.reduce((sum, { percentage: share = 0 }) => sum + share, 0);
    const assignedTo = ({ members }: GroupRecord) => all.filter(({ user }) => members.includes(user)).length;
    return Math.max(
      ...shares.map(({ team, percentage: share = 0 }) => Math.abs(assignedTo(team) - (all.length * share) / whole)),
    );
  }
}
