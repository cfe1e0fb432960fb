import { aRollingSystem, type RollingSystem, runUnderLoad } from '../support/rolling-trials.ts';

const STOPS = Number(process.env.ROLLING_STOPS ?? 20);
const MESSAGES_PER_SECOND = 20;

describe('SIGTERM to API processes and workers under load', function () {
  this.timeout(1_800_000);
  let system: RollingSystem;

  before(async () => {
    system = await aRollingSystem();
  });
  after(() => system?.close());

  it(`no call fails, no job is lost, and every process exits with 0 when an API process and a worker are stopped ${STOPS} times`, async () => {
    const summary = await runUnderLoad(system, MESSAGES_PER_SECOND, async () => {
      for (let index = 0; index < STOPS; index += 1) await system.replace(index, system.fleet);
    });
    console.log(`      ${summary}`);
  });
});
