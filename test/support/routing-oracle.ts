/** Holds the log of a project's writes against the promises of routing, write by write. */
import { type Conversation, type Member, type Section, State, type Team } from './routing-state.ts';
import type { Commit, Write } from './write-log.ts';

/** What goes on between two marks. */
export interface Step {
  /** How many calls or workers may be claiming at once. */
  claimers: number;
  /** True where nothing else happens at the same time. */
  alone: boolean;
  /** Conversations that are routed anew by somebody. */
  rerouted: string[];
  /** Nobody should wait who could be served, once the step is over. */
  quiet: boolean;
}

interface Claim {
  user: string;
  open: number;
  capacity: number;
  available: boolean;
  fewest: number;
  /** Who waited at that moment. */
  waiting: Set<string>;
}

type Told = [name: string, beside?: { assignmentType?: string; assigneeType?: string; assigneeId?: string }];

const toldIn = ({ before, after }: Write): Told[] => {
  const text = after?._events as string | undefined;
  if (!text || text === before?._events) return [];
  return (JSON.parse(text) as unknown[]).filter((each) => Array.isArray(each)) as Told[];
};

const AUTOMATIC = new Set<string | undefined>(['auto', 'manual_reassign_department']);

const automatic = (write: Write): string | undefined =>
  toldIn(write).find(
    ([name, beside]) =>
      name === 'request.assigned' && AUTOMATIC.has(beside?.assignmentType) && beside?.assigneeType === 'user',
  )?.[1]?.assigneeId;

const idsOf = (member: Member | null): Set<string> => new Set(member?.claims?.map(({ request }) => request));

const OPENING: Step = { claimers: 1, alone: true, rerouted: [], quiet: false };

/** A project under watch. */
export class Oracle {
  readonly violations: string[] = [];
  /** Automatic assignments so far, in their order. */
  readonly assigned: { request: string; user: string; department: string; passed: number }[] = [];
  /** How many of them there were each time that all was quiet. */
  readonly quietAfter: number[] = [];
  readonly state = new State();
  readonly #claims = new Map<string, Claim>();
  #step = OPENING;
  /** Whether the project was open, its limit, and who served which department, at any moment of this step. */
  #ever = { open: false, limit: 0, candidates: new Map<string, Set<string>>() };

  /** A step begins. */
  begin(step: Step): void {
    if (this.#step.quiet) this.#expectQuiet();
    this.#step = step;
    this.#claims.clear();
    this.#ever = { open: false, limit: 0, candidates: new Map() };
    this.#widen();
  }

  /** Something was written. */
  take(commit: Commit): void {
    for (const write of commit) {
      if (write.collection === 'project_users') this.#noteClaims(write);
      this.state.take(write);
    }
    if (commit.some(({ collection }) => collection !== 'requests' && collection !== 'project_users')) this.#widen();
    for (const write of commit) {
      const user = write.collection === 'requests' && automatic(write);
      if (user) this.#judge(write.before as Conversation | null, write.after as unknown as Conversation, user);
    }
  }

  #fail(text: string): void {
    this.violations.push(text);
  }

  /** What is read before a claim may be a moment old: whatever held in this step is right. */
  #widen(): void {
    const { state } = this;
    const { candidates } = this.#ever;
    this.#ever.open ||= state.isOpen();
    this.#ever.limit = Math.max(this.#ever.limit, state.limit());
    for (const [id, department] of state.departments)
      candidates.set(id, state.candidatesOf(department).union(candidates.get(id) ?? new Set()));
  }

  #noteClaims({ before, after }: Write): void {
    const [was, is] = [before as Member | null, after as Member | null];
    if (!is) return;
    const had = idsOf(was);
    for (const request of idsOf(is))
      if (!had.has(request)) this.#claims.set(`${request} ${is.id_user}`, this.#claim(was ?? is));
  }

  #claim(member: Member): Claim {
    const free = [...this.state.members.values()].filter(
      (each) =>
        each.roleType === 1 && each.user_available && each.number_assigned_requests < this.state.capacityOf(each),
    );
    return {
      user: member.id_user,
      open: member.number_assigned_requests,
      capacity: this.state.capacityOf(member, this.#ever.limit),
      available: member.user_available && member.status === 'active' && !member.trashed,
      fewest: Math.min(...free.map((each) => each.number_assigned_requests)),
      waiting: new Set(this.state.waiting().map(({ _id }) => _id)),
    };
  }

  /** An automatic assignment. */
  #judge(before: Conversation | null, after: Conversation, user: string): void {
    const claim = this.#claims.get(`${after._id} ${user}`);
    const name = `ticket ${after.ticket_id}`;
    if (after.participants.join() !== user) this.#fail(`${name} has ${after.participants.join()} instead of ${user}`);
    if (before?.participantsAgents.length && !this.#step.rerouted.includes(after.request_id))
      this.#fail(`${name} was given to ${user} and had ${before.participantsAgents.join()}`);
    if (!claim) return this.#fail(`${name} was given to ${user} without a claim in this step`);
    this.#judgeClaim(name, after, claim);
    const passed = this.#passed(after, claim);
    if (passed.length >= this.#step.claimers)
      this.#fail(
        `${name} passed ${passed.map(({ ticket_id }) => ticket_id).join()}; claims at once: ${this.#step.claimers}`,
      );
    this.assigned.push({ request: after._id, user, department: after.department, passed: passed.length });
  }

  #judgeClaim(name: string, request: Conversation, { user, open, capacity, available, fewest }: Claim): void {
    const member = [...this.state.members.values()].find(({ id_user }) => id_user === user) as Member;
    if (open >= capacity) this.#fail(`${name}: ${user} had ${open} of ${capacity}`);
    if (!available) this.#fail(`${name}: ${user} was not available`);
    if (!this.#ever.open) this.#fail(`${name} was given while the project was closed`);
    if (!this.#ever.candidates.get(request.department)?.has(user))
      this.#fail(`${name}: ${user} does not serve the department`);
    if (this.state.hasLeft(member, request)) this.#fail(`${name}: ${user} had left it`);
    const department = this.state.departments.get(request.department) as Section;
    if (this.#step.alone && !this.state.servingOf(department) && open > fewest && !this.#leftBySome(request))
      this.#fail(`${name}: ${user} had ${open} open, another one ${fewest}`);
  }

  #leftBySome({ attributes }: Conversation): boolean {
    return Object.keys(attributes?.abandoned_by_project_users ?? {}).length > 0;
  }

  /** Older ones of the department that waited when it was claimed, wait on, and could have been given to the same teammate. */
  #passed(request: Conversation, { user, waiting }: Claim): Conversation[] {
    const member = [...this.state.members.values()].find(({ id_user }) => id_user === user) as Member;
    return this.state
      .waiting()
      .filter(
        (older) =>
          older.department === request.department &&
          older.ticket_id < request.ticket_id &&
          waiting.has(older._id) &&
          !this.state.hasLeft(member, older),
      );
  }

  #expectQuiet(): void {
    this.quietAfter.push(this.assigned.length);
    for (const request of this.state.waiting()) {
      const [taker] = this.state.takersOf(request);
      if (taker) this.#fail(`ticket ${request.ticket_id} waits while ${taker.id_user} is free`);
    }
    for (const { id_user, roleType, number_assigned_requests: load, claims = [] } of this.state.members.values()) {
      if (roleType !== 1) continue;
      const carried = this.state.carriedBy(id_user);
      if (load !== carried || claims.length !== carried)
        this.#fail(`${id_user} counts ${load}, claims ${claims.length} and carries ${carried}`);
    }
  }

  /** By how much a group of a department was off its share, in conversations, after the first `count` assignments of all. */
  offBy(department: string, count: number): number {
    const shares = this.state.servingOf(this.state.departments.get(department) as Section) ?? [];
    const all = this.assigned.slice(0, count).filter((each) => each.department === department);
    const whole = shares.reduce((sum, { share = 0 }) => sum + share, 0);
    const taken = ({ members }: Team) => all.filter(({ user }) => members.includes(user)).length;
    return Math.max(...shares.map(({ team, share = 0 }) => Math.abs(taken(team) - (all.length * share) / whole)));
  }
}
