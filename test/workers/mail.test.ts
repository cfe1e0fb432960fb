import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import * as mails from '#shared/domain/access/mail.ts';
import { Mail } from '#shared/models/mail.ts';
import { enqueue } from '#shared/queue.ts';
import { aMailServer } from '../support/mail-server.ts';
import { aPerson } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const someone = () => `${randomUUID()}@example.com`;
const aMail = (to: string): mails.NewMail => ({ template: 'passwordChanged', to, values: {} });

const record = (to: string) => Mail.findOne({ to }).orFail().lean();

/** As if its time had come. */
const makeDue = async (to: string) => {
  await Mail.updateOne({ to }, { $set: { due: new Date() } });
  await enqueue('upkeep.sweep-mails', {});
  await runJobs();
};

describe('A mail', () => {
  let server: Awaited<ReturnType<typeof aMailServer>>;

  before(async () => {
    server = await aMailServer();
  });
  beforeEach(() => {
    config.SMTP_URL = server.url;
    server.refuse(() => undefined);
  });
  afterEach(() => {
    config.MAIL_FROM = undefined;
    config.DASHBOARD_URL = undefined;
  });
  after(() => {
    config.SMTP_URL = undefined;
  });

  it('goes out by a job that knows its id alone, with an id by which a second copy is known', async () => {
    const to = someone();
    await mails.send(aMail(to));
    await runJobs();
    const { _id, sentAt, due, tries } = await record(to);
    const [mail] = server.to(to);
    expect(mail?.text).to.match(/^Subject: Your password was changed/m);
    expect(mail?.text).to.include(`Message-ID: <${String(_id)}@`);
    expect({ due, tries, sent: sentAt instanceof Date }).to.deep.equal({ due: undefined, tries: 1, sent: true });
  });

  it('is sent once, however often its job runs', async () => {
    const to = someone();
    const id = await mails.write(aMail(to));
    await Promise.all([1, 2, 3].map(() => mails.nudge(id)));
    await runJobs();
    await mails.nudge(id);
    await runJobs();
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('is sent by the sweep when its job was lost', async () => {
    const to = someone();
    await mails.write(aMail(to));
    await enqueue('upkeep.sweep-mails', {});
    await runJobs();
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('waits longer with each failure that may pass, and arrives in the end', async () => {
    const to = someone();
    server.refuse((line) => (line.startsWith('RCPT') ? '451 later' : undefined));
    await mails.send(aMail(to));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      if (attempt > 1) await makeDue(to);
      else await runJobs();
      const { due, failure, tries } = await record(to);
      expect({ failure, tries }).to.deep.equal({ failure: 'EENVELOPE 451', tries: attempt });
      waits.push(Number(due) - Date.now());
    }
    expect(waits[4]).to.be.greaterThan((waits[0] as number) * 4);
    server.refuse(() => undefined);
    await makeDue(to);
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('is given up at once when its address does not exist, and after two days otherwise', async () => {
    const [gone, late] = [someone(), someone()];
    server.refuse((line) => (line.startsWith('RCPT') ? '550 no such user' : undefined));
    await mails.send(aMail(gone));
    await runJobs();
    expect(await record(gone))
      .to.deep.include({ failure: 'EENVELOPE 550' })
      .and.not.have.property('due');
    config.SMTP_URL = 'smtp://127.0.0.1:9';
    await mails.write(aMail(late));
    const longAgo = new Date(Date.now() - 49 * 3_600_000);
    await Mail.collection.updateOne({ to: late }, { $set: { createdAt: longAgo } });
    await makeDue(late);
    expect(await record(late)).to.not.have.property('due');
    expect((await record(late)).failure).to.match(/^ESOCKET|^ECONNECTION/);
  });

  it('is taken over when the worker that had it died', async () => {
    const to = someone();
    const id = await mails.write(aMail(to));
    const dead = await mails.take(id);
    expect(await mails.take(id)).to.equal(null);
    await makeDue(to);
    expect(server.to(to)).to.have.lengthOf(1);
    await mails.tryAgain(dead as mails.Taken, 'LATE'); // it was only slow, and has no say any more
    expect(await record(to)).to.not.have.property('due');
  });

  it('comes from MAIL_FROM and leads to the page of DASHBOARD_URL, where these are set', async () => {
    const { id, email } = await aPerson();
    const received = async () => {
      await mails.send({ template: 'verify', to: email, values: {} });
      await runJobs();
      return server.to(email).at(-1);
    };
    const before = await received();
    expect(before?.from).to.equal('no-reply@localhost');
    expect(before?.text).to.include(`http://${config.HOST}:${config.PORT}/account#/verify/email/${id}/`);
    config.MAIL_FROM = 'Help desk <help@example.org>';
    config.DASHBOARD_URL = 'https://example.org/dashboard/';
    const after = await received();
    expect(after?.from).to.equal('help@example.org');
    expect(after?.text).to.match(/^From: Help desk <help@example\.org>/m);
    expect(after?.text).to.include(`https://example.org/dashboard/#/verify/email/${id}/`);
  });

  it('lies in a folder that only its owner reads when there is no mail server', async () => {
    const to = someone();
    config.SMTP_URL = undefined;
    await mails.send(aMail(to));
    await runJobs();
    const file = join(config.DATA_DIR, 'outbox', `${String((await record(to))._id)}.eml`);
    expect(await readFile(file, 'utf8')).to.include(`To: ${to}`);
    expect((await stat(file)).mode & 0o077).to.equal(0);
  });

  it("never makes a link of other people's words, nor a header of them", async () => {
    const to = someone();
    const project = 'Free money at https://evil.example/now\r\nBcc: all@example.com';
    await mails.send({
      template: 'beenInvitedNewUser',
      to,
      values: { project, role: 'agent', inviter: 'www.evil.example', invitation: '0'.repeat(24) },
    });
    await runJobs();
    const [mail] = server.to(to);
    expect(mail?.text)
      .to.match(/#\/signup\/0{24}-[\w-]{43}/)
      .and.not.match(/evil\.example|:\/\/evil|^Bcc/m);
  });
});
