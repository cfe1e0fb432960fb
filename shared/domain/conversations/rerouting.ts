/** What becomes of a conversation that is routed again (contract b 2.3, 2.10): its department and who takes part. */
import type { ClientSession } from 'mongoose';
import type { Trigger } from '../../models/decision.ts';
import { carriers, release } from '../routing/claims.ts';
import { isLeftByAll } from '../routing/choose.ts';
import { leftBy } from '../routing/line.ts';
import { type Placement, place } from '../routing/place.ts';
import { availableOf, candidatesOf, type Plan } from '../routing/plan.ts';
import { isBot, taking } from './participants.ts';
import type { Change, Speaker, StoredRequest } from './requests.ts';
import { type Move, moved } from './transitions.ts';

/** Who routes where nobody asked for it. */
export const SYSTEM: Speaker = { kind: 'system', id: 'system' };

/** Why a conversation is routed, by whom, and on what plan. */
export interface Rerouting {
  plan: Plan;
  trigger: Exclude<Trigger, 'arrival'>;
  by: Speaker;
}

type Told = Extract<Change['tells'][number], readonly ['request.assigned', unknown]>[1];

const SOURCES: Record<string, Told['source']> = { bot: 'chatbot', subscription: 'subscription', system: 'system' };

const sourceOf = ({ trigger, by }: Rerouting): Told['source'] =>
  trigger === 'waiting' ? 'queue' : (SOURCES[by.kind] ?? 'api');

const actorOf = ({ kind, id, fullname }: Speaker): Told['actor'] => ({
  type: kind === 'bot' || kind === 'system' ? kind : 'user',
  id,
  ...(fullname && { name: fullname }),
});

const assigneeOf = (before: StoredRequest, { participants: [first] }: Placement, rerouting: Rerouting) => {
  const { department } = rerouting.plan;
  const elsewhere = rerouting.trigger === 'departments' && department._id !== before.department;
  const assignmentType = elsewhere ? 'manual_reassign_department' : 'auto';
  if (first) return { assigneeId: first, assigneeType: isBot(first) ? 'bot' : 'user', assignmentType } as const;
  if (elsewhere) return { assigneeId: department._id, assigneeType: 'department', assignmentType } as const;
  return { assigneeId: null, assigneeType: 'user', assignmentType: 'unassign' } as const;
};

const tellsOf = (before: StoredRequest, placement: Placement, rerouting: Rerouting): Change['tells'] => {
  const { participants } = placement;
  const removedParticipants = before.participants.filter((id) => !participants.includes(id));
  const addedParticipants = participants.filter((id) => !before.participants.includes(id));
  const beforeRequest = { participants: before.participants, status: before.status };
  const patch = { department: rerouting.plan.department._id, participants };
  const assignee = assigneeOf(before, placement, rerouting);
  const from = { previousAssigneeId: before.participants[0] ?? null, removedParticipants };
  const assignment = { ...assignee, ...from, actor: actorOf(rerouting.by), source: sourceOf(rerouting) };
  const tells: Change['tells'] = [
    'request.update',
    ['request.updated', { comment: 'REROUTE', patch }],
    ['request.participants.update', { beforeRequest, removedParticipants, addedParticipants }],
  ];
  if (assignee.assigneeId !== null || removedParticipants.length) tells.push(['request.assigned', assignment]);
  return [...tells, 'request.department.update'];
};

const VERBS = {
  departments: 'departments or agent',
  agent: 'departments or agent',
  assign: 'assign',
} as const;

/** The row of the table for what was found. */
const moveOf = (trigger: Rerouting['trigger'], isFound: boolean): Move => {
  if (trigger === 'waiting') return 'waiting, somebody becomes free';
  const found = isFound ? 'somebody is found' : 'nobody is found';
  return trigger === 'preflight' ? `preflight ends without a bot, ${found}` : `${VERBS[trigger]}, ${found}`;
};

/** The row for what changes nothing, though everybody left the conversation. */
const lostMoveOf = (trigger: keyof typeof VERBS, isFound: boolean): Move =>
  isFound
    ? 'departments or agent, found who is there already, abandoned by all'
    : `${VERBS[trigger]}, nobody is found, nothing else changes, abandoned by all`;

const same = (one: string[], other: string[]): boolean => one.join(' ') === other.join(' ');

/** What was found, and whether everybody who could be left it. */
type Found = Placement & { lost: boolean };

/** The status that routing leads to; null where nothing is to be done. */
const statusAfter = (before: StoredRequest, { participants, lost }: Found, { trigger, plan }: Rerouting) => {
  const isFound = participants.length > 0;
  if (trigger === 'waiting' && !isFound) return null;
  const status = moved(moveOf(trigger, isFound), before.status);
  const changesNothing =
    status === before.status && plan.department._id === before.department && same(participants, before.participants);
  if (!changesNothing || trigger === 'preflight' || trigger === 'waiting') return status;
  return lost ? moved(lostMoveOf(trigger, isFound), before.status) : null;
};

/** The plan as if the conversation were nobody's load. */
const withoutOwn = (plan: Plan, holders: string[]): Plan => ({
  ...plan,
  agents: plan.agents.map((agent) =>
    holders.includes(agent.id_user) ? { ...agent, open: Math.max(0, agent.open - 1) } : agent,
  ),
});

/** What is set of a conversation beside its status. */
const fieldsOf = ({ plan }: Rerouting, { participants }: Placement): Change['set'] => ({
  hasBot: false,
  ...taking(participants),
  department: plan.department._id,
  agents: candidatesOf(plan),
  'snapshot.department': plan.department,
  'snapshot.availableAgentsCount': availableOf(plan).length,
  ...(participants.length && { assigned_at: new Date() }),
});

const lostField = ({ attributes }: StoredRequest, lost: boolean): Change['set'] =>
  lost === (attributes?.fully_abandoned === true) ? {} : { 'attributes.fully_abandoned': lost };

const isHuman = ([first]: string[]): boolean => first !== undefined && !isBot(first);

/**
 * Route a conversation in the transaction that changes it: who has it is free of it and may be given it again. Null where nothing changes;
 * what was claimed for that is claimed still.
 */
export const rerouted = async (
  before: StoredRequest,
  rerouting: Rerouting,
  session: ClientSession,
): Promise<Change | null> => {
  const holders = carriers(before);
  const left = leftBy(before.attributes);
  const plan = withoutOwn(rerouting.plan, holders);
  await release(before, holders, session);
  const { trigger } = rerouting;
  const ticket = before.ticket_id ?? undefined;
  const placement = await place(plan, { request: String(before._id), ticket, trigger, left, session });
  const lost = isLeftByAll(plan, left);
  const status = statusAfter(before, { ...placement, lost }, rerouting);
  if (status === null) return null;
  const { participants, claimed, decision } = placement;
  return {
    set: { ...fieldsOf(rerouting, placement), status, ...lostField(before, lost) },
    drop: ['waiting_time'],
    tells: tellsOf(before, placement, rerouting),
    ...(isHuman(participants) && { says: 'TOUCHING_OPERATOR' as const }),
    ...{ claimed, decision },
  };
};
