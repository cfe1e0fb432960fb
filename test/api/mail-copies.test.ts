/** Copies of emails for the address in `EMAIL_BCC`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { api } from '../support/api.ts';
import { aPerson, PASSWORD } from '../support/people.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

describe('Copies of emails', () => {
  let fixture: ProjectWithMailbox;

  before(async () => {
    fixture = await aProjectWithMailbox();
  });
  after(() => {
    fixture.mailbox.close();
    config.EMAIL_BCC = undefined;
  });

  it('the address in EMAIL_BCC receives a copy of a conversation email, and no copy of an email with a secret link', async () => {
    config.EMAIL_BCC = 'archive@example.com';
    await fixture.openConversation();
    expect((await api().put('/v3/auth/requestresetpsw', { email: fixture.agent.email })).status).to.equal(200);
    await runJobsOnEvents(fixture.project.id);
    const own = (await fixture.mailbox.mailsTo(fixture.agent.email)).map(({ text }) => text).join();
    expect(own).to.include('resetpassword');
    const copies = (await fixture.mailbox.mailsTo('archive@example.com')).map(
      ({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1],
    );
    expect(copies).to.deep.equal(['[Project] #1 Assigned to you: Where is my order? - notification']);
  });

  it('the address in EMAIL_BCC receives copies of the emails about a changed password and an invitation', async () => {
    const { owner, agent, project } = fixture;
    config.EMAIL_BCC = `archive-${randomUUID()}@example.com`;
    const invited = await aPerson({ emailverified: true });
    const path = `/v3/${project.id}/project_users/invite`;
    expect((await api(owner).post(path, { email: invited.email, role: 'agent' })).status).to.equal(200);
    const passwords = { oldpsw: PASSWORD, newpsw: 'another correct horse' };
    expect((await api(agent).put('/v3/users/changepsw', passwords)).status).to.equal(200);
    expect((await fixture.subjects(config.EMAIL_BCC)).toSorted()).to.deep.equal([
      'You are invited to Project - notification',
      'Your password was changed - notification',
    ]);
    expect(await fixture.mailbox.mailsTo(invited.email)).to.have.lengthOf(1);
  });
});
