/** Received emails from programs, from this system and from banned senders, and reports about returned emails. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Mail } from '#shared/models/mail.ts';
import { api } from '../support/api.ts';
import { aMail } from '../support/inbound.ts';
import { type AnsweredMail, anInboundProject, aReply, type InboundProject } from '../support/inbound-project.ts';
import { runJobs, runJobsOnEvents } from '../support/run-jobs.ts';

describe('POST /v3/:project_id/emails/inbound', () => {
  let fixture: InboundProject;
  let answered: AnsweredMail;

  before(async () => {
    fixture = await anInboundProject();
    answered = await fixture.openAndAnswer();
  });
  after(() => fixture.close());

  describe('Ignored emails', () => {
    const AUTOMATIC: Record<string, string>[] = [
      { 'Auto-Submitted': 'auto-replied' },
      { 'Auto-Submitted': 'auto-generated; owner-email=x' },
      { Precedence: 'bulk' },
      { Precedence: 'list' },
      { Precedence: 'auto_reply' },
      { 'X-Auto-Response-Suppress': 'All' },
      { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' },
      { 'X-Autoreply': 'yes' },
      { 'Return-Path': '<>' },
      { From: 'MAILER-DAEMON@mx.example.org' },
    ];

    it('automatic emails are ignored: they neither open nor continue a conversation and cause no email', async () => {
      const { request_id, messageId } = answered;
      const count = async () => ({
        mails: await Mail.countDocuments({ id_project: fixture.project.id }),
        conversations: await fixture.countConversations(),
        messages: (await fixture.texts(request_id)).length,
      });
      await runJobsOnEvents(fixture.project.id);
      const before = await count();
      for (const headers of AUTOMATIC) {
        const label = JSON.stringify(headers);
        const { body } = await fixture.receiveMail(aReply({ 'In-Reply-To': messageId, ...headers }));
        expect(body, label).to.deep.equal({ result: 'ignored', reason: 'automatic' });
      }
      expect((await fixture.receiveMail(aMail(), { sender: 'MAILER-DAEMON' })).body.reason).to.equal('automatic');
      await runJobsOnEvents(fixture.project.id);
      expect(await count()).to.deep.equal(before);
    });

    it('emails whose headers do not mark them as automatic are accepted', async () => {
      for (const headers of [
        { 'X-TILEDESK-PROJECT-ID': '0'.repeat(24) },
        { 'Auto-Submitted': 'no' },
        { 'X-Auto-Response-Suppress': 'DR, NDR' },
        { Precedence: 'normal' },
      ])
        expect((await fixture.receiveMail(aMail(headers))).body.result, JSON.stringify(headers)).to.equal(
          'conversation',
        );
    });

    it('emails that this system has sent, or that come from its own addresses, are ignored', async () => {
      const { messageId } = answered;
      await fixture.set('email.from', 'Shop <shop@example.com>');
      const own = [
        { 'X-TILEDESK-PROJECT-ID': fixture.project.id },
        { 'Message-ID': messageId },
        { From: 'no-reply@localhost' },
        { From: 'Shop@Example.com' },
        { From: 'anything@in.example.net' },
      ];
      for (const headers of own)
        expect((await fixture.receiveMail(aMail(headers))).body, JSON.stringify(headers)).to.deep.equal({
          result: 'ignored',
          reason: 'own',
        });
    });

    it('emails from a banned sender are ignored', async () => {
      const From = `${randomUUID()}@example.org`;
      const { request_id } = (await fixture.receiveMail(aMail({ From }))).body;
      const { snapshot } = await fixture.conversation(request_id);
      const lead = snapshot?.lead as { lead_id: string };
      await api(fixture.owner).post(`/v3/projects/${fixture.project.id}/ban`, { id: lead.lead_id });
      expect((await fixture.receiveMail(aMail({ From }))).body).to.deep.equal({ result: 'ignored', reason: 'banned' });
    });
  });

  describe('Delivery reports', () => {
    const REPORT = { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b', 'Return-Path': '<>' };
    const aReport = ({ id, to, action = 'failed', status = '5.1.1' }: Record<string, string | undefined>) =>
      aMail(
        { From: 'MAILER-DAEMON@mx.example.org', ...REPORT },
        [
          ...['--b', 'Content-Type: text/plain', '', 'Your mail was not delivered.', ''],
          ...['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.org', ''],
          ...[`Final-Recipient: rfc822; ${to}`, `Action: ${action}`, `Status: ${status}`, ''],
          ...['--b', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${id}`, 'Subject: Order', '', '--b--', ''],
        ].join('\r\n'),
      );
    const sendTo = async (to: string) => {
      const path = `/v3/${fixture.project.id}/emails/internal/send`;
      expect((await api(fixture.agent).post(path, { to, text: 'Hello' })).status).to.equal(200);
      await runJobs();
      return /^Message-ID: (.*)\r$/m.exec(await fixture.latest(to))?.[1];
    };
    const blocked = async (): Promise<string[]> =>
      (await api(fixture.agent).get(`/v3/${fixture.project.id}/emails/blocked`)).body.map(
        ({ address }: { address: string }) => address,
      );

    it('a delivery report about a wrong address blocks further emails to it, and opens no conversation', async () => {
      const to = `Gone-${randomUUID()}@example.org`;
      const id = await sendTo(to);
      const before = await fixture.countConversations();
      const { body } = await fixture.receiveMail(aReport({ id, to: to.toUpperCase() }));
      expect(body).to.deep.equal({ result: 'returned' });
      expect(await blocked()).to.include(to.toLowerCase());
      const again = await api(fixture.agent).post(`/v3/${fixture.project.id}/emails/internal/send`, {
        to,
        text: 'Hello',
      });
      expect({ status: again.status, code: again.body.code }).to.deep.equal({ status: 409, code: 'ADDRESS_BLOCKED' });
      expect(await fixture.countConversations()).to.equal(before);
    });

    it('a delivery report that is forged, or about a delay, a full mailbox or a policy, blocks no address', async () => {
      const to = `ann-${randomUUID()}@example.org`;
      const id = await sendTo(to);
      const before = await blocked();
      const reports = [
        { id: '<000000000000000000000000@localhost>', to },
        { id, to: 'victim@example.org' },
        { id, to, action: 'delayed', status: '4.4.1' },
        { id, to, status: '5.2.2' },
        { id, to, status: '5.7.1' },
        { id, to, status: '4.4.7' },
      ];
      for (const report of reports) {
        const { body } = await fixture.receiveMail(aReport(report));
        expect(['returned', 'ignored'], JSON.stringify(report)).to.include(body.result);
      }
      expect(await blocked()).to.deep.equal(before);
    });
  });
});
