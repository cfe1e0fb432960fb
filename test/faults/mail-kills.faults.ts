/** Many emails through one slow SMTP server while the worker is killed with SIGKILL. */
import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';
import { sendMailsWhileWorkerIsKilled } from '../support/mail-kill-trials.ts';

const MAILS = Number(process.env.FAULT_MAILS ?? 500);
const KILLS = Number(process.env.FAULT_KILLS ?? 5);

describe('Emails while the worker is killed', function () {
  this.timeout(1_800_000);
  let system: KillableWorker;

  before(async () => {
    system = await aKillableWorker({ smtpDelayMs: 300 });
  });
  after(() => system.close());

  it(`each of ${MAILS} emails is sent once while the worker is killed ${KILLS} times, and the owner of a project whose server hangs receives a report`, () =>
    sendMailsWhileWorkerIsKilled(system, { mails: MAILS, kills: KILLS, waitsForReport: true }));
});
