/**
 * Compares the durations of analytics calls in a project with the rollups of 1,000,000 conversations and in one with
 * those of 1,000. Only the rollups and contributions (see docs/analytics.md) are stored, not the records.
 * `BENCH_CONVERSATIONS` sets the larger number.
 */
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { compareCalls } from '../support/analytics-durations.ts';
import { storeRollups } from '../support/dense-rollups.ts';
import { aProject } from '../support/people.ts';

const MANY = Number(process.env.BENCH_CONVERSATIONS ?? 1_000_000);
const FEW = 1000;
const SEED = 17;

const aProjectWithRollups = async (count: number) => {
  const { project, admin } = await aProject();
  await storeRollups(project.id, { count, random: seededRandom(SEED), now: Date.now() });
  return { id_project: project.id, admin };
};

describe('Analytics', function () {
  this.timeout(1_200_000);

  it(`no call takes more than 1.5 times as long with ${MANY} conversations as with ${FEW}`, async () => {
    await compareCalls(await aProjectWithRollups(FEW), await aProjectWithRollups(MANY));
  });
});
