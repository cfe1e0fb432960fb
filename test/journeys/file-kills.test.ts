/** Short form of test/faults/file-kills.faults.ts. */
import { storeFilesUnderKills } from '../support/file-kill-trials.ts';

const KILLS = 2;

describe('Files while processes are killed', function () {
  this.timeout(300_000);

  it(`after ${KILLS} kills of the API and workers, the records of files and the stored bytes agree, and no expired file was served`, async () => {
    await storeFilesUnderKills({ kills: KILLS, pauseMs: 150 });
  });
});
