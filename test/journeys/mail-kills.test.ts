import { sendMailsWhileWorkerIsKilled } from '../support/mail-kill-trials.ts';

describe('Mails while the worker is killed', function underLoad() {
  this.timeout(300_000);

  it('each mail is sent once through a slow SMTP server, and a hanging server of one project delays no mails of others', () =>
    sendMailsWhileWorkerIsKilled({ mails: 32, kills: 1, delayMs: 400 }));
});
