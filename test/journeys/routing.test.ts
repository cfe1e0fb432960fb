import { expect } from 'chai';
import { underRush } from '../support/routing-rush.ts';
import { aRoutingStage, type Stage } from '../support/routing-stage.ts';
import { times } from '../support/stage.ts';
import { tryRouting, tryScript, tryShares } from '../support/routing-trial.ts';

/** test/faults/routing.faults.ts tries thousands. */
const SEQUENCES = 60;
const DEPARTMENTS = 12;

describe('Routing, whatever happens at once', function () {
  this.timeout(120_000);
  let stage: Stage;

  before(async () => {
    stage = await aRoutingStage();
  });
  after(() => stage.close());

  it(`keeps its promises in ${SEQUENCES} sequences by two processes`, async () => {
    const tried = await tryRouting(stage, { runs: SEQUENCES, commands: 8 });
    expect(tried.sequences).to.equal(SEQUENCES);
    expect(tried.assigned).to.be.greaterThan(SEQUENCES);
  });

  it('gives each group its share, off by less than the number of groups after any number of conversations', async () => {
    expect(await tryShares(stage, { runs: DEPARTMENTS })).to.be.greaterThan(10 * DEPARTMENTS);
  });

  it('fills twenty teammates to their limit with 260 at once, and serves the others oldest first', async () => {
    await underRush(stage, 260);
  });

  it('leaves nothing claimed that another process was claiming at the same time', () =>
    tryScript(
      stage,
      [2, 2, 2],
      async ({ id_project, departments: [department], conversations, next, act, together }) => {
        for (const _ of times(24, Number)) await act('arrive', { request_id: next(), department }, { served: false });
        for (const round of times(3, Number)) {
          for (const request_id of conversations.slice(round * 6, round * 6 + 6))
            await act('close', { request_id }, { served: false });
          await together(times(6, () => ({ verb: 'serve', words: { id_project } })));
        }
      },
    ));

  it('passes nobody who waits because some teammates left, when another one is there again', () =>
    tryScript(stage, [1, 1], async ({ users: [one, other], departments: [department], next, act }) => {
      const [first, second, third] = [next(), next(), next()];
      await act('teammate', { id: other, set: { user_available: false } });
      await act('arrive', { request_id: first, department });
      await act('leave', { request_id: first, user: one });
      await act('arrive', { request_id: second, department });
      await act('teammate', { id: other, set: { user_available: true } }, { served: false });
      await act('arrive', { request_id: third, department });
    }));

  it('holds up nobody behind one whom the teammate who is there left', () =>
    tryScript(stage, [1, 1], async ({ users: [one, other], departments: [department], next, act }) => {
      const [first, second] = [next(), next()];
      await act('teammate', { id: other, set: { user_available: false } });
      for (const request_id of [first, second]) await act('arrive', { request_id, department });
      await act('leave', { request_id: first, user: one });
    }));

  it('passes nobody for those who are handed over, assigned or moved before anybody was served', () =>
    tryScript(stage, [1], async ({ departments: [plain, , bots], next, act }) => {
      const [first, second, third, talking] = [next(), next(), next(), next()];
      for (const request_id of [first, second, third]) await act('arrive', { request_id, department: plain });
      await act('arrive', { request_id: talking, department: bots });
      await act('close', { request_id: first }, { served: false });
      await act('assign', { request_id: third, department: plain }, { served: false });
      await act('move', { request_id: talking, department: plain });
      const [one, two] = [next(), next()];
      for (const request_id of [one, two]) await act('arrive', { request_id, department: bots });
      await act('handOver', { request_id: one });
      for (const request_id of [second, third]) await act('close', { request_id }, { served: false });
      await act('handOver', { request_id: two });
    }));
});
