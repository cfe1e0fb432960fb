/** Whom routing chooses and why, without a database: candidates, limits, hours, turns (contract b 2.4, decision 18). */
import { expect } from 'chai';
import fc from 'fast-check';
import { choose, reasonFor } from '#shared/domain/routing/choose.ts';
import type { Agent, Plan } from '#shared/domain/routing/plan.ts';
import { nextTurn } from '#shared/domain/routing/turns.ts';

const NONE = new Set<string>();

const anAgent = (id: string, fields: Partial<Agent> = {}): Agent => ({
  ...{ _id: `m-${id}`, id_user: id, role: 'agent', available: true, open: 0, capacity: null, last_assigned_at: null },
  ...fields,
});

const aPlan = (agents: Agent[], fields: Partial<Plan> = {}): Plan => ({
  department: {
    ...{ _id: 'd', id_project: 'p', name: 'D', routing: 'assigned', default: true, status: 1, id_bot: undefined },
  },
  isOpen: true,
  agents,
  shares: null,
  limit: null,
  ...fields,
});

const reasons = (plan: Plan, left = NONE) => {
  const { outcome, chosen, group } = choose(plan, { left });
  return Object.fromEntries(
    plan.agents.map((agent) => [agent.id_user, reasonFor(agent, plan, { outcome, chosen, group, left })]),
  );
};

describe('The choice of a teammate', () => {
  it('tells for each why it was or was not chosen', () => {
    const [early, late] = [new Date(1000), new Date(2000)];
    const plan = aPlan([
      anAgent('busy', { open: 2 }),
      anAgent('idle', { open: 1, last_assigned_at: early }),
      anAgent('later', { open: 1, last_assigned_at: late }),
      anAgent('zweite', { open: 1, last_assigned_at: early }),
      anAgent('full', { capacity: 0 }),
      anAgent('away', { available: false }),
      anAgent('left'),
    ]);
    expect(reasons(plan, new Set(['m-left']))).to.deep.equal({
      busy: 'has_more_open',
      idle: 'chosen',
      later: 'assigned_more_recently',
      zweite: 'next_in_order',
      full: 'at_capacity',
      away: 'not_available',
      left: 'left_this_conversation',
    });
  });

  it('is nobody while the project is closed, and for all the same where a bot or a pool comes first', () => {
    const agents = [anAgent('a')];
    const pooled = { ...aPlan([]).department, routing: 'pooled' as const };
    expect(reasons(aPlan(agents, { isOpen: false }))).to.deep.equal({ a: 'project_closed' });
    expect(reasons(aPlan(agents, { bot: 'b', isOpen: false }))).to.deep.equal({ a: 'bot_first' });
    expect(reasons(aPlan(agents, { department: pooled }))).to.deep.equal({ a: 'pooled' });
  });

  it('is of the group whose turn it is; a weight of 0 has none, and a group without room passes', () => {
    const agents = [anAgent('a'), anAgent('b'), anAgent('c'), anAgent('d', { capacity: 0 })];
    const share = (id_group: string, weight: number, members: string[]) => ({ id_group, weight, members });
    const shares = [
      share('one', 10, ['a']),
      share('two', 20, ['b']),
      share('none', 0, ['c']),
      share('full', 70, ['d']),
    ];
    expect(reasons(aPlan(agents, { shares }))).to.deep.equal({
      a: 'turn_of_another_group',
      b: 'chosen',
      c: 'group_without_share',
      d: 'at_capacity',
    });
  });
});

describe('Turns of groups', () => {
  it('give each its share after any number, but for less than one', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 300 }), (given, turns) => {
        const shares = given.map((weight, i) => ({ id_group: `g${i}`, weight }));
        const total = given.reduce((sum, weight) => sum + weight, 0);
        const had = new Map<string, number>();
        let credits = {};
        for (let i = 1; i <= turns; i++) {
          const next = nextTurn(credits, shares);
          credits = next.credits;
          had.set(next.turn, (had.get(next.turn) ?? 0) + 1);
        }
        for (const { id_group, weight } of shares)
          expect(Math.abs((had.get(id_group) ?? 0) - (turns * weight) / total)).to.be.below(shares.length);
      }),
    );
  });
});
