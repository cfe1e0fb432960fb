import { importLeadsUnderKills } from '../support/lead-file-trials.ts';

const LEAD_COUNT = Number(process.env.FAULT_LEADS ?? 50_000);

describe('Lead import while workers are killed', function () {
  this.timeout(1_200_000);

  it(`an exported file of ${LEAD_COUNT} leads is imported once while workers are killed, and broken rows are reported with their line numbers`, async () => {
    console.log(
      `      ${await importLeadsUnderKills(LEAD_COUNT)} bytes of the file had not yet been imported when the last worker was killed`,
    );
  });
});
