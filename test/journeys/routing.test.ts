import { expect } from 'chai';
import { times } from '../support/fleet-fixture.ts';
import { aRoutingFixture, type RoutingFixture } from '../support/routing-fixture.ts';
import { runRush } from '../support/routing-rush.ts';
import { runRoutingTrial, runScript, runShareTrial } from '../support/routing-trials.ts';

/** Small numbers, to save time. test/faults/routing.faults.ts runs thousands of sequences. */
const SEQUENCES = 20;
const DEPARTMENTS = 4;

describe('Concurrent routing', () => {
  let fixture: RoutingFixture;

  before(async () => {
    fixture = await aRoutingFixture();
  });
  after(() => fixture.close());

  it(`routing by two processes obeys its rules in ${SEQUENCES} random sequences of commands`, async () => {
    const tried = await runRoutingTrial(fixture, { runs: SEQUENCES, commands: 8 });
    expect(tried.sequences).to.equal(SEQUENCES);
    expect(tried.assigned).to.be.greaterThan(SEQUENCES);
  });

  it('after any number of conversations, the number that each group of a department has received deviates from its share by less than the number of groups', async () => {
    expect(await runShareTrial(fixture, { runs: DEPARTMENTS })).to.be.greaterThan(DEPARTMENTS);
  });

  it('60 concurrent conversations fill five teammates to their limit, and the remaining conversations are assigned oldest first', async () => {
    await runRush(fixture, { arrivals: 60, teammates: 5 });
  });

  it('processes that assign the same conversations at the same time leave no unused reservation', () =>
    runScript(
      fixture,
      [2, 2, 2],
      async ({ id_project, departments: [department], conversations, addConversation, act, runTogether }) => {
        for (const _ of times(24, Number))
          await act('arrive', { request_id: addConversation(), department }, { assignAfterwards: false });
        for (const round of times(3, Number)) {
          for (const request_id of conversations.slice(round * 6, round * 6 + 6))
            await act('close', { request_id }, { assignAfterwards: false });
          await runTogether(times(6, () => ({ action: 'serve' as const, args: { id_project } })));
        }
      },
    ));

  it('a waiting conversation that one teammate left is assigned before later ones when another teammate becomes available', () =>
    runScript(fixture, [1, 1], async ({ users: [one, other], departments: [department], addConversation, act }) => {
      const [first, second, third] = [addConversation(), addConversation(), addConversation()];
      await act('teammate', { id: other, set: { user_available: false } });
      await act('arrive', { request_id: first, department });
      await act('leave', { request_id: first, user: one });
      await act('arrive', { request_id: second, department });
      await act('teammate', { id: other, set: { user_available: true } }, { assignAfterwards: false });
      await act('arrive', { request_id: third, department });
    }));

  it('a conversation that the only available teammate left does not delay the conversations after it', () =>
    runScript(fixture, [1, 1], async ({ users: [one, other], departments: [department], addConversation, act }) => {
      const [first, second] = [addConversation(), addConversation()];
      await act('teammate', { id: other, set: { user_available: false } });
      for (const request_id of [first, second]) await act('arrive', { request_id, department });
      await act('leave', { request_id: first, user: one });
    }));

  it('conversations that are handed over, assigned or moved do not overtake conversations that are already waiting', () =>
    runScript(fixture, [1], async ({ departments: [plain, , bots], addConversation, act }) => {
      const [first, second, third, talking] = [
        addConversation(),
        addConversation(),
        addConversation(),
        addConversation(),
      ];
      for (const request_id of [first, second, third]) await act('arrive', { request_id, department: plain });
      await act('arrive', { request_id: talking, department: bots });
      await act('close', { request_id: first }, { assignAfterwards: false });
      await act('assign', { request_id: third, department: plain }, { assignAfterwards: false });
      await act('move', { request_id: talking, department: plain });
      const [one, two] = [addConversation(), addConversation()];
      for (const request_id of [one, two]) await act('arrive', { request_id, department: bots });
      await act('handOver', { request_id: one });
      for (const request_id of [second, third]) await act('close', { request_id }, { assignAfterwards: false });
      await act('handOver', { request_id: two });
    }));
});
