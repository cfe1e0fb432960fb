/** Every row of docs/degradation.md except the one on full disks, which test/api/full-disk.test.ts tests completely. */
import { aProjectWithCalls } from '../support/degradation-calls.ts';
import { CLOCK_ROWS, DOWN_ROWS, HANGING_ROWS, runRow } from '../support/degradation-rows.ts';
import { aDegradableSystem, type DegradableSystem } from '../support/degradation-system.ts';

const ROUNDS = Number(process.env.DEGRADATION_ROUNDS ?? 3);

describe('Degradation (long run)', function () {
  this.timeout(1_800_000);
  let system: DegradableSystem;

  before(async () => {
    system = await aDegradableSystem();
  });
  after(() => system?.close());

  for (const row of [...HANGING_ROWS, ...DOWN_ROWS, ...CLOCK_ROWS])
    it(`${row.id} (${row.outage}): calls fail only as docs/degradation.md states, and all work again without a restart, ${ROUNDS} times`, async () => {
      const project = await aProjectWithCalls(system);
      const results: Awaited<ReturnType<typeof runRow>>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) results.push(await runRow(system, project, row));
      const longest = (name: keyof (typeof results)[number]) =>
        Math.max(...results.map((result) => result[name])).toFixed(1);
      console.log(
        `      answers within ${longest('answerSeconds')} s, recovery within ${longest('recoverySeconds')} s, ` +
          `all accepted changes took effect within ${longest('settleSeconds')} s`,
      );
    });
});
