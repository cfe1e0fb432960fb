/** Whom routing chooses, without the database: what a claim will do, for dry runs, and why each teammate was or was not chosen. */
import type { Outcome, Reason } from '../../models/decision.ts';
import type { Agent, Plan, Share } from './plan.ts';
import { type Credits, nextTurn } from './turns.ts';

/** Memberships whose teammates left the conversation. */
export type Left = ReadonlySet<string>;

/** Nobody left it. */
export const NONE: Left = new Set();

/** True for who could be given one more conversation, had nobody left it. */
const hasRoom = ({ open, capacity }: Agent): boolean => capacity === null || open < capacity;

/** Teammates who may be given the conversation now, those first who are first in turn: the order of `claim`. */
export const free = ({ agents, isOpen }: Plan, left: Left): Agent[] =>
  isOpen ? agents.filter((agent) => agent.available && !left.has(agent._id) && hasRoom(agent)).toSorted(byTurn) : [];

const since = ({ last_assigned_at }: Pick<Agent, 'last_assigned_at'>): number => last_assigned_at?.getTime() ?? 0;

const byTurn = (one: Agent, other: Agent): number =>
  one.open - other.open || since(one) - since(other) || (one._id < other._id ? -1 : 1);

/** The groups that have a share and somebody who may take the conversation. */
export const sharing = (shares: Share[], takers: Agent[]): Share[] => {
  const ids = new Set(takers.map(({ id_user }) => id_user));
  return shares.filter(({ weight, members }) => weight > 0 && members.some((id) => ids.has(id)));
};

/** True when every teammate who may come into question left the conversation. */
export const isLeftByAll = ({ agents }: Plan, left: Left): boolean =>
  agents.length > 0 && agents.every(({ _id }) => left.has(_id));

/** What is chosen, and what the groups are owed afterwards. */
export interface Choice {
  outcome: Outcome;
  chosen?: Agent;
  /** The group whose turn it was. */
  group?: string;
  credits: Credits;
}

/** The choice of a moment, if nothing happens meanwhile. */
export const choose = (plan: Plan, { left = NONE, credits = {} }: { left?: Left; credits?: Credits } = {}): Choice => {
  if (plan.bot) return { outcome: 'bot', credits };
  if (plan.department.routing !== 'assigned') return { outcome: 'pooled', credits };
  const takers = free(plan, left);
  const groups = plan.shares && sharing(plan.shares, takers);
  if (!takers.length || groups?.length === 0) return { outcome: 'nobody', credits };
  if (!groups) return { outcome: 'assigned', chosen: takers[0], credits };
  const { turn, credits: after } = nextTurn(credits, groups);
  const members = groups.find(({ id_group }) => id_group === turn)?.members ?? [];
  const chosen = takers.find(({ id_user }) => members.includes(id_user));
  return { outcome: 'assigned', chosen, group: turn, credits: after };
};

/** A choice that was made, to be given reasons for. */
export interface Made {
  outcome: Outcome;
  chosen?: Pick<Agent, 'id_user' | 'open' | 'last_assigned_at'>;
  group?: string;
  left: Left;
}

const EVERYBODY: Partial<Record<Outcome, Reason>> = {
  bot: 'bot_first',
  pooled: 'pooled',
  in_line: 'others_wait_longer',
};

const groupReason = ({ shares }: Plan, { id_user }: Agent, group?: string): Reason | undefined => {
  const own = shares?.filter(({ members }) => members.includes(id_user));
  if (!own) return undefined;
  if (own.every(({ weight }) => weight <= 0)) return 'group_without_share';
  return group && own.every(({ id_group }) => id_group !== group) ? 'turn_of_another_group' : undefined;
};

const besides = (agent: Agent, chosen: Made['chosen']): Reason => {
  if (!chosen || agent.open < chosen.open) return 'changed_meanwhile';
  if (agent.open > chosen.open) return 'has_more_open';
  if (since(agent) > since(chosen)) return 'assigned_more_recently';
  return since(agent) === since(chosen) ? 'next_in_order' : 'changed_meanwhile';
};

/** Why a teammate was or was not chosen. */
export const reasonFor = (agent: Agent, plan: Plan, { outcome, chosen, group, left }: Made): Reason => {
  const forAll = EVERYBODY[outcome];
  if (agent.id_user === chosen?.id_user) return 'chosen';
  if (forAll) return forAll;
  if (!plan.isOpen) return 'project_closed';
  if (!agent.available) return 'not_available';
  if (left.has(agent._id)) return 'left_this_conversation';
  if (!hasRoom(agent)) return 'at_capacity';
  return groupReason(plan, agent, group) ?? besides(agent, chosen);
};
