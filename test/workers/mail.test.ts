import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { newId } from '#shared/context.ts';
import * as leases from '#shared/domain/mails/mail-leases.ts';
import * as mails from '#shared/domain/mails/mail-queue.ts';
import { Mail } from '#shared/models/mail.ts';
import { PendingInvitation } from '#shared/models/pending-invitation.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { aMailServer } from '../support/mail-server.ts';
import { aPerson } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const anEmail = () => `${randomUUID()}@example.com`;
const aMail = (to: string): mails.NewMail => ({ template: 'passwordChanged', to, values: {} });

const record = (to: string) => Mail.findOne({ to }).orFail().lean();

/** Makes an email due now and runs the sweep. */
const makeDue = async (to: string) => {
  await Mail.updateOne({ to }, { $set: { dueAt: new Date() } });
  await enqueue('maintenance.sweep-mails', {});
  await runJobs();
};

describe('Sending emails', () => {
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

  it('an email is sent by a job, with a Message-ID that contains the id of its record', async () => {
    const to = anEmail();
    await mails.queueMail(aMail(to));
    await runJobs();
    const { _id, sentAt, dueAt, attemptsMade } = await record(to);
    const [mail] = server.to(to);
    expect(mail?.text).to.match(/^Subject: Your password was changed/m);
    expect(mail?.text).to.include(`Message-ID: <${String(_id)}@`);
    expect({ dueAt, attemptsMade, sent: sentAt instanceof Date }).to.deep.equal({
      dueAt: undefined,
      attemptsMade: 1,
      sent: true,
    });
  });

  it('an email is sent once, even if its job runs several times', async () => {
    const to = anEmail();
    const [id = ''] = await mails.createMail(aMail(to));
    await Promise.all([1, 2, 3].map(() => mails.enqueueMail(id)));
    await runJobs();
    await mails.enqueueMail(id);
    await runJobs();
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('an email whose job was lost is sent by the sweep', async () => {
    const to = anEmail();
    await mails.createMail(aMail(to));
    await enqueue('maintenance.sweep-mails', {});
    await runJobs();
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('an email is retried with growing delays after temporary failures until it is sent', async () => {
    const to = anEmail();
    server.refuse((line) => (line.startsWith('RCPT') ? '451 later' : undefined));
    await mails.queueMail(aMail(to));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      if (attempt > 1) await makeDue(to);
      else await runJobs();
      const { dueAt, failure, attemptsMade } = await record(to);
      expect({ failure, attemptsMade }).to.deep.equal({ failure: 'EENVELOPE 451', attemptsMade: attempt });
      waits.push(Number(dueAt) - Date.now());
    }
    expect(waits[4]).to.be.greaterThan((waits[0] as number) * 4);
    server.refuse(() => undefined);
    await makeDue(to);
    expect(server.to(to)).to.have.lengthOf(1);
  });

  it('an email is not retried when its recipient does not exist, or when it is older than two days', async () => {
    const [gone, late] = [anEmail(), anEmail()];
    server.refuse((line) => (line.startsWith('RCPT') ? '550 no such user' : undefined));
    await mails.queueMail(aMail(gone));
    await runJobs();
    expect(await record(gone))
      .to.deep.include({ failure: 'EENVELOPE 550' })
      .and.not.have.property('dueAt');
    config.SMTP_URL = 'smtp://127.0.0.1:9';
    await mails.createMail(aMail(late));
    const longAgo = new Date(Date.now() - 49 * 3_600_000);
    await Mail.collection.updateOne({ to: late }, { $set: { createdAt: longAgo } });
    await makeDue(late);
    expect(await record(late)).to.not.have.property('dueAt');
    expect((await record(late)).failure).to.match(/^ESOCKET|^ECONNECTION/);
  });

  it('each email is leased by only one of several workers that take emails at the same time', async () => {
    const created = [anEmail(), anEmail(), anEmail()].map((to) => mails.createMail(aMail(to)));
    const ids = (await Promise.all(created)).flat();
    const leased = await Promise.all([...ids, ...ids].map(leases.leaseMail));
    expect(leased.flatMap((lease) => lease?.id ?? [])).to.have.members(ids);
    await Promise.all(leased.filter((lease) => lease !== null).map(leases.markSent));
    const stored = await Mail.find({ _id: { $in: ids } }, { dueAt: 1, sentAt: 1, attemptsMade: 1 }).lean();
    const results = stored.map(({ dueAt, sentAt, attemptsMade }) => [dueAt, sentAt instanceof Date, attemptsMade]);
    expect(results).to.deep.equal(ids.map(() => [undefined, true, 1]));
  });

  it('an email that is queued several times under one id, even concurrently, is stored once', async () => {
    const [known, fresh] = [anEmail(), anEmail()];
    const [first, second] = [newId(), newId()];
    await mails.queueMail(aMail(known), { _id: first });
    const stored = await Promise.all([
      mails.queueMail(aMail(known), { _id: first }),
      mails.queueMail(aMail(fresh), { _id: second }),
      mails.queueMail(aMail(fresh), { _id: second }),
    ]);
    expect(stored).to.deep.equal([false, true, false]);
  });

  it('an email whose worker died is sent by another worker', async () => {
    const to = anEmail();
    const [id = ''] = await mails.createMail(aMail(to));
    const dead = await leases.leaseMail(id);
    expect(await leases.leaseMail(id)).to.equal(null);
    await makeDue(to);
    expect(server.to(to)).to.have.lengthOf(1);
    // Even if the first worker was only slow, its result is ignored, because its lease has expired.
    await leases.reschedule(dead as leases.LeasedMail, 'LATE');
    expect(await record(to)).to.not.have.property('dueAt');
  });

  it('an email is sent from MAIL_FROM and links to DASHBOARD_URL', async () => {
    const { id, email } = await aPerson();
    const sendAndReceive = async () => {
      await mails.queueMail({ template: 'verify', to: email, values: {} });
      await runJobs();
      return server.to(email).at(-1);
    };
    const before = await sendAndReceive();
    expect(before?.from).to.equal('no-reply@localhost');
    expect(before?.text).to.include(`http://${config.HOST}:${config.PORT}/account#/verify/email/${id}/`);
    config.MAIL_FROM = 'Help desk <help@example.org>';
    config.DASHBOARD_URL = 'https://example.org/dashboard/';
    const after = await sendAndReceive();
    expect(after?.from).to.equal('help@example.org');
    expect(after?.text).to.match(/^From: Help desk <help@example\.org>/m);
    expect(after?.text).to.include(`https://example.org/dashboard/#/verify/email/${id}/`);
  });

  it('without a mail server, an email is written to a file that only its owner can read', async () => {
    const to = anEmail();
    config.SMTP_URL = undefined;
    await mails.queueMail(aMail(to));
    await runJobs();
    const file = join(config.DATA_DIR, 'outbox', `${String((await record(to))._id)}.eml`);
    expect(await readFile(file, 'utf8')).to.include(`To: ${to}`);
    expect((await stat(file)).mode & 0o077).to.equal(0);
  });

  it('names that users enter create neither links nor headers in an email', async () => {
    const to = anEmail();
    const project = 'Free money at https://evil.example/now\r\nBcc: all@example.com';
    const [id_project, invitation] = [newId(), newId()];
    await PendingInvitation.create([{ _id: invitation, id_project, email: to, role: 'agent', createdBy: newId() }]);
    await mails.queueMail({
      template: 'beenInvitedNewUser',
      to,
      values: { id_project, project, role: 'agent', inviter: 'www.evil.example', invitation },
    });
    await runJobs();
    const [mail] = server.to(to);
    expect(mail?.text)
      .to.match(new RegExp(`#/signup/${invitation}-[\\w-]{43}`))
      .and.not.match(/evil\.example|:\/\/evil|^Bcc/m);
  });
});
