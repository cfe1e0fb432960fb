/** Routing of one conversation (contract b 2.4): its bot first, then whose turn it is, claimed in one atomic write. */
import type { ClientSession } from 'mongoose';
import type { Outcome, Trigger } from '../../models/decision.ts';
import { type Claimant, claim, release } from './claims.ts';
import { free, type Left, NONE, sharing } from './choose.ts';
import { type Decision, decisionOf } from './decisions.ts';
import { isBehind } from './line.ts';
import type { Agent, Plan, Share } from './plan.ts';
import { giveBack, takeTurn } from './turns.ts';

/** A conversation that is to be given to somebody. */
export interface Routed {
  /** Its `_id`. */
  request: string;
  trigger: Trigger;
  /** Its place among those who wait. */
  ticket?: number;
  /** Memberships whose teammates left it. */
  left?: Left;
  session?: ClientSession;
}

/** What came of it. */
export interface Placement {
  participants: string[];
  /** The user whose load it counts to from now on. */
  claimed?: string;
  decision: Decision;
  /** Takes back what was claimed outside a transaction, where nothing came of it. */
  undo?(): Promise<void>;
}

/** A turn of a group among others. */
interface Turn {
  turn: string;
  among: Share[];
}

interface Claimed {
  outcome: Outcome;
  chosen?: Claimant;
  taken?: Turn;
}

const NOBODY: Claimed = { outcome: 'nobody' };

const turned = ({ department, shares }: Plan) => ({
  id_project: department.id_project,
  department: department._id,
  shares: shares ?? [],
});

const claimAmong = ({ department, limit }: Plan, { request, session }: Routed, takers: Agent[]) => {
  const among = takers.map(({ id_user }) => id_user);
  return claim({ id_project: department.id_project, request, limit, among, session });
};

/** Claim in the group whose turn it is; where nobody of it may take one after all, the others have theirs. */
const claimInTurn = async (plan: Plan, routed: Routed, takers: Agent[]): Promise<Claimed> => {
  const { session } = routed;
  for (let among = sharing(plan.shares ?? [], takers); among.length; ) {
    const turn = await takeTurn(turned(plan), among, session);
    const members = among.find(({ id_group }) => id_group === turn)?.members ?? [];
    const own = takers.filter(({ id_user }) => members.includes(id_user));
    const chosen = await claimAmong(plan, routed, own);
    if (chosen) return { outcome: 'assigned', chosen, taken: { turn, among } };
    await giveBack(turned(plan), { turn, among }, session);
    among = among.filter(({ id_group }) => id_group !== turn);
  }
  return NOBODY;
};

const claimed = async (plan: Plan, routed: Routed): Promise<Claimed> => {
  const { _id, id_project, routing } = plan.department;
  if (plan.bot) return { outcome: 'bot' };
  if (routing !== 'assigned') return { outcome: 'pooled' };
  const takers = free(plan, routed.left ?? NONE);
  if (!takers.length) return NOBODY;
  const place = { id_project, department: _id, ticket: routed.ticket };
  if (routed.trigger !== 'waiting' && (await isBehind(place, takers))) return { outcome: 'in_line' };
  if (plan.shares) return claimInTurn(plan, routed, takers);
  const chosen = await claimAmong(plan, routed, takers);
  return chosen ? { outcome: 'assigned', chosen } : NOBODY;
};

const undoing =
  (plan: Plan, { request }: Routed, { chosen, taken }: Claimed) =>
  async () => {
    const { id_project } = plan.department;
    if (chosen) await release({ _id: request, id_project }, [chosen.id_user]);
    if (taken) await giveBack(turned(plan), taken);
  };

/** Give a conversation to whom its plan says, and tell why. */
export const place = async (plan: Plan, routed: Routed): Promise<Placement> => {
  const given = await claimed(plan, routed);
  const { outcome, chosen, taken } = given;
  const left = routed.left ?? NONE;
  const decision = decisionOf(plan, { outcome, chosen, group: taken?.turn, left }, routed.trigger);
  return {
    participants: decision.chosen === null ? [] : [decision.chosen],
    claimed: chosen?.id_user,
    decision,
    ...(!routed.session && { undo: undoing(plan, routed, given) }),
  };
};
