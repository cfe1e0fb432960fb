/** The choice of an agent and its reasons, without a database: candidates, limits, operating hours and group turns. */
import { expect } from 'chai';
import fc from 'fast-check';
import { reasonFor } from '#shared/domain/routing/assign-conversation.ts';
import type { Agent, RoutingPlan } from '#shared/domain/routing/routing-plan.ts';
import { predictChoice } from '#shared/domain/routing/simulation.ts';
import { nextTurn } from '#shared/domain/routing/weighted-round-robin.ts';

const NO_ONE = new Set<string>();

const anAgent = (id: string, fields: Partial<Agent> = {}): Agent => ({
  ...{ _id: `m-${id}`, id_user: id, role: 'agent', available: true, open: 0, capacity: null, last_assigned_at: null },
  ...fields,
});

const aPlan = (agents: Agent[], fields: Partial<RoutingPlan> = {}): RoutingPlan => ({
  department: {
    ...{ _id: 'd', id_project: 'p', name: 'D', routing: 'assigned', default: true, status: 1, id_bot: undefined },
  },
  isOpen: true,
  agents,
  shares: null,
  limit: null,
  ...fields,
});

const reasons = (plan: RoutingPlan, abandonedBy = NO_ONE) => {
  const { outcome, chosen, group } = predictChoice(plan, { abandonedBy });
  return Object.fromEntries(
    plan.agents.map((agent) => [agent.id_user, reasonFor(agent, plan, { outcome, chosen, group, abandonedBy })]),
  );
};

describe('Agent selection', () => {
  it('agent selection states why each agent was or was not chosen', () => {
    const [early, late] = [new Date(1000), new Date(2000)];
    const plan = aPlan([
      anAgent('busy', { open: 2 }),
      anAgent('idle', { open: 1, last_assigned_at: early }),
      anAgent('later', { open: 1, last_assigned_at: late }),
      anAgent('second', { open: 1, last_assigned_at: early }),
      anAgent('full', { capacity: 0 }),
      anAgent('away', { available: false }),
      anAgent('left'),
    ]);
    expect(reasons(plan, new Set(['m-left']))).to.deep.equal({
      busy: 'has_more_open',
      idle: 'chosen',
      later: 'assigned_more_recently',
      second: 'next_in_order',
      full: 'at_capacity',
      away: 'not_available',
      left: 'left_this_conversation',
    });
  });

  it('no agent is selected outside the operating hours, or if the department has a bot or the routing `pooled`, in which agents join conversations themselves', () => {
    const agents = [anAgent('a')];
    const pooled = { ...aPlan([]).department, routing: 'pooled' as const };
    expect(reasons(aPlan(agents, { isOpen: false }))).to.deep.equal({ a: 'project_closed' });
    expect(reasons(aPlan(agents, { bot: 'b', isOpen: false }))).to.deep.equal({ a: 'bot_first' });
    expect(reasons(aPlan(agents, { department: pooled }))).to.deep.equal({ a: 'pooled' });
  });

  it('agent selection follows the turns of groups and skips groups with weight 0 or without capacity', () => {
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

describe('Weighted round robin', () => {
  it('after any number of turns, the turn count of each group deviates from its share of the turns by less than the number of groups', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 300 }), (groupWeights, turns) => {
        const shares = groupWeights.map((weight, i) => ({ id_group: `g${i}`, weight }));
        const total = groupWeights.reduce((sum, weight) => sum + weight, 0);
        const turnCounts = new Map<string, number>();
        let credits = {};
        for (let i = 1; i <= turns; i++) {
          const next = nextTurn(credits, shares);
          credits = next.credits;
          turnCounts.set(next.groupId, (turnCounts.get(next.groupId) ?? 0) + 1);
        }
        for (const { id_group, weight } of shares)
          expect(Math.abs((turnCounts.get(id_group) ?? 0) - (turns * weight) / total)).to.be.below(shares.length);
      }),
    );
  });
});
