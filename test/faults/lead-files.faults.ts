import { underKills } from '../support/lead-file-trial.ts';

const LEADS = Number(process.env.FAULT_LEADS ?? 50_000);

describe('Leads as a file, at length', function () {
  this.timeout(1_200_000);

  it(`come in as they went out, ${LEADS} of them, each once though workers are killed, and broken rows with their lines`, async () => {
    console.log(`      ${await underKills(LEADS)} bytes were left after the last kill`);
  });
});
