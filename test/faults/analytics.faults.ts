import {
  anAnalyticsFleet,
  compareInZones,
  countUnderKills,
  expectNoDifferences,
  rebuildUnderKills,
} from '../support/analytics-trials.ts';
import { rebuild } from '#shared/domain/analytics/rebuild.ts';
import { compareCalls } from '../support/analytics-durations.ts';
import { aSeededProject } from '../support/seed-analytics.ts';
import { printDuration } from '../support/print-duration.ts';

const CONVERSATION_COUNT = Number(process.env.FAULT_CONVERSATIONS ?? 20_000);
const SMALL_PROJECT_CONVERSATIONS = 1000;
const KILL_COUNT = Number(process.env.FAULT_TIMES ?? 20);

describe('Analytics of a large project', function () {
  this.timeout(3_600_000);
  let fleet: Awaited<ReturnType<typeof anAnalyticsFleet>>;

  before(async () => {
    fleet = await anAnalyticsFleet();
  });
  after(() => fleet.close());

  it(`the analytics of ${CONVERSATION_COUNT} conversations match the records after the rebuild command and workers have been killed, and reading the analytics takes at most 1.5 times as long as with 1,000 conversations`, async () => {
    const project = await aSeededProject(CONVERSATION_COUNT);
    await printDuration(() => rebuildUnderKills(fleet, project));
    await countUnderKills(fleet, project, { conversations: CONVERSATION_COUNT, kills: KILL_COUNT });
    // These comparisons only read, and run in different processes, so they can run at the same time.
    await Promise.all([compareInZones(project), expectNoDifferences(fleet, project)]);
    const small = await aSeededProject(SMALL_PROJECT_CONVERSATIONS);
    await rebuild(small.id_project);
    await compareCalls(small, project);
  });
});
