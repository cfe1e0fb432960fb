/**
 * Kills the API and workers at random moments during uploads, thumbnail creation and sweeps, with each kind of storage.
 */
import { storeFilesUnderKills } from '../support/file-kill-trials.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? 100);
const PAUSE_MS = 30;

describe('Files while processes are killed', function () {
  this.timeout(3_600_000);
  let s3: S3Server | undefined;
  after(() => s3?.stop());

  const report = ({ accepted, left }: { accepted: number; left: number }) =>
    console.log(`      ${accepted} uploads were accepted; ${left} files remained`);

  it(`after ${KILLS} kills, the records of files and the stored bytes agree: files in a folder`, async () => {
    report(await storeFilesUnderKills({ kills: KILLS, pauseMs: PAUSE_MS }));
  });

  it(`after ${KILLS} kills, the records of files and the stored bytes agree: files in a bucket`, async function () {
    s3 = await startS3Server().catch((error: Error) =>
      skipWithReason(this, `s3rver cannot be installed: ${error.message}`),
    );
    report(await storeFilesUnderKills({ kills: KILLS, pauseMs: PAUSE_MS, storage: s3?.storage }));
  });
});
