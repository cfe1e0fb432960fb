/** Emails about conversations: their recipients, and the settings that disable them. */
import { expect } from 'chai';
import { withIdempotentIds } from '#shared/context.ts';
import { notifyOn } from '#shared/domain/notifications/notify-on-event.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { readLog } from '../support/changes-log.ts';
import type { Person } from '../support/people.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';

const CONVERSATION_MAILS = 'email.notification.conversation';

describe('Emails about conversations', () => {
  let fixture: ProjectWithMailbox;

  beforeEach(async () => {
    fixture = await aProjectWithMailbox();
  });
  afterEach(() => fixture.mailbox.close());

  const setUnavailable = () => fixture.setAvailable(false);
  const membershipOf = async ({ id }: Person) =>
    String((await ProjectUser.findOne({ id_project: fixture.project.id, id_user: id }).orFail().lean())._id);

  it('an agent to whom a conversation is assigned receives an email, and the owner receives none', async () => {
    const { openConversation, subjects, latest, agent, owner } = fixture;
    await openConversation();
    const [subject] = await subjects(agent.email);
    expect(subject).to.match(/^\[Project\] #1 Assigned to you: Where is my order\?/);
    expect(await latest(agent.email))
      .to.include('> Where is my order?')
      .and.include('Vera');
    expect(await subjects(owner.email)).to.deep.equal([]);
  });

  it('every teammate who could take a waiting conversation receives only one email about it', async () => {
    const { openConversation, subjects, agent, owner, admin } = fixture;
    await setUnavailable();
    const { one } = await openConversation();
    await api(owner).put(`${one}/participants`, []);
    for (const { email } of [agent, owner, admin])
      expect(await subjects(email)).to.deep.equal(['[Project] #1 Waiting for an agent: Where is my order?']);
  });

  it('a preflight conversation causes no email before the end of the preflight', async () => {
    const { openConversation, subjects, agent, guest } = fixture;
    const hidden = { text: 'welcome', preflight: true, request_status: 50 };
    const { postMessage } = await openConversation(hidden);
    expect(await subjects(agent.email)).to.deep.equal([]);
    await postMessage(guest, 'Where is my order?');
    expect(await subjects(agent.email)).to.deep.equal(['[Project] #1 Assigned to you: Where is my order?']);
    await setUnavailable();
    await (await openConversation(hidden)).postMessage(guest, 'And the other one?');
    expect(await subjects(agent.email)).to.include('[Project] #2 Waiting for an agent: And the other one?');
  });

  it('an event that is handled twice causes one email', async () => {
    const { openConversation, subjects, agent, project } = fixture;
    await openConversation();
    await subjects(agent.email);
    const created = (await readLog(project.id)).find(({ event }) => event === 'request.create');
    const { _id: id, event = '', record = '', position = '' } = created ?? {};
    const ref = { id_project: project.id, event, id: String(id), record: String(record), position };
    for (const _ of [1, 2]) await withIdempotentIds(`events.send-notifications ${id}`, () => notifyOn(ref));
    expect(await subjects(agent.email)).to.have.lengthOf(1);
  });

  it('a new participant receives an email, and earlier participants receive none', async () => {
    const { openConversation, subjects, agent, admin } = fixture;
    const { one } = await openConversation();
    await api(fixture.owner).post(`${one}/participants`, { member: admin.id });
    expect(await subjects(agent.email)).to.have.lengthOf(1);
    await api(fixture.owner).put(`${one}/participants`, [admin.id]);
    await api(fixture.owner).put(`${one}/participants`, [agent.id]);
    expect(await subjects(agent.email)).to.have.lengthOf(2);
  });

  it('an offline lead receives the public messages from teammates by email, and no other messages', async () => {
    const { openConversation, subjects, latest, agent, guest, set, project } = fixture;
    const { postMessage, lead, one } = await openConversation();
    await postMessage(agent, 'On its way\n.');
    await postMessage(agent, 'between us', { attributes: { subtype: 'private' } });
    await postMessage(agent, 'joined', { attributes: { subtype: 'info' } });
    await postMessage(guest, 'Thank you');
    expect(await subjects(lead)).to.deep.equal(['[Project] #1 New reply: Where is my order?']);
    expect(await latest(lead)).to.include('> On its way\r\n> .');
    await ProjectUser.updateOne(
      { id_project: project.id, uuid_user: guest.id },
      { $set: { presence: { status: 'online', changedAt: new Date() } } },
    );
    await postMessage(agent, 'You see this');
    expect(await subjects(lead)).to.have.lengthOf(1);
    await set(`${CONVERSATION_MAILS}.offline`, { enabled: false });
    expect((await api(agent).put(`${one}/close`, {})).status).to.equal(200);
    expect(await subjects(lead)).to.have.lengthOf(1);
  });

  it('a message in a conversation in the `email` channel is emailed to the lead or, if the visitor wrote it, to the agent', async () => {
    const { openConversation, subjects, latest, texts, agent, guest } = fixture;
    const { postMessage, lead, one } = await openConversation({ channel: { name: 'email' }, subject: 'My order' });
    await api(fixture.owner).put(`${one}/participants`, [agent.id]);
    await postMessage(agent, 'On its way');
    await postMessage(agent, 'hush', { attributes: { subtype: 'private' } });
    await postMessage(guest, 'And now?');
    expect(await subjects(lead)).to.deep.equal(['Re: My order [#1]']);
    expect(await latest(lead)).to.include('On its way');
    expect(await subjects(agent.email)).to.include('[Project] #1 New message: My order');
    expect(await texts(agent.email)).to.include('> And now?');
  });

  it('the first text of a conversation in the `email` channel causes only the email about the conversation, and a later message with the same text causes another', async () => {
    const { openConversation, subjects, agent, owner, guest } = fixture;
    const { postMessage, one } = await openConversation({ channel: { name: 'email' } });
    await api(owner).put(`${one}/participants`, [agent.id]);
    const assigned = '[Project] #1 Assigned to you: Where is my order?';
    expect(await subjects(agent.email)).to.deep.equal([assigned]);
    await postMessage(guest, 'Where is my order?');
    expect(await subjects(agent.email)).to.deep.equal([assigned, '[Project] #1 New message: Where is my order?']);
    const hidden = { text: 'welcome', preflight: true, request_status: 50, channel: { name: 'email' } };
    const other = await openConversation(hidden);
    await other.postMessage(guest, 'And mine?');
    const about = async () => (await subjects(agent.email)).filter((subject) => subject.includes('#2'));
    expect(await about()).to.deep.equal(['[Project] #2 Assigned to you: And mine?']);
    await other.postMessage(guest, 'And mine?');
    expect(await about()).to.have.length(2);
  });

  it('a follower receives the messages from other people by email', async () => {
    const { openConversation, subjects, agent, admin } = fixture;
    const { postMessage } = await openConversation({ followers: [await membershipOf(admin)] });
    await postMessage(agent, 'On its way');
    await postMessage(admin, 'I am with you');
    expect(await subjects(admin.email)).to.have.lengthOf(2); // about the visitor's first message and the agent's reply
  });

  it('the transcript of a closed conversation is emailed to the lead, the owner and the admins if the project has enabled this', async () => {
    const { openConversation, subjects, latest, agent, owner, admin, set } = fixture;
    await set('email', { autoSendTranscriptToRequester: true, notification: { conversation: { assigned: false } } });
    const { postMessage, lead, one, request } = await openConversation();
    // A transcript is emailed only to a trusted address of the lead, such as one that an agent has set.
    await api(agent).put(`/v3/${fixture.project.id}/leads/${request.lead._id}`, { email: lead });
    await postMessage(agent, 'between us', { attributes: { subtype: 'private' } });
    await api(agent).put(`${one}/close`, {});
    for (const email of [lead, owner.email, admin.email])
      expect((await subjects(email)).at(-1)).to.equal('[Project] #1 Transcript: Where is my order?');
    expect(await subjects(agent.email)).to.deep.equal([]);
    expect(await latest(lead))
      .to.include('Vera: Where is my order?')
      .and.not.include('between us');
  });

  const assignedSettings: [string, boolean, boolean?][] = [
    [`${CONVERSATION_MAILS}.blocked`, true],
    [`${CONVERSATION_MAILS}.assigned`, false],
    [`${CONVERSATION_MAILS}.assigned.toyou`, false, true],
  ];
  for (const [path, value, own] of assignedSettings)
    it(`an assigned agent receives no email if the setting \`${path}\` of the ${own ? 'teammate' : 'project'} is ${value}`, async () => {
      await fixture.set(path, value, own ? fixture.agent : undefined);
      await fixture.openConversation();
      expect(await fixture.subjects(fixture.agent.email)).to.deep.equal([]);
    });

  const waitingSettings: [string, boolean, boolean?][] = [
    [`${CONVERSATION_MAILS}.blocked`, true],
    [`${CONVERSATION_MAILS}.pooled`, false],
    [`${CONVERSATION_MAILS}.pooled`, false, true],
  ];
  for (const [path, value, own] of waitingSettings)
    it(`an agent receives no email about a waiting conversation if the setting \`${path}\` of the ${own ? 'teammate' : 'project'} is ${value}`, async () => {
      await fixture.set(path, value, own ? fixture.agent : undefined);
      await setUnavailable();
      await fixture.openConversation();
      expect(await fixture.subjects(fixture.agent.email)).to.deep.equal([]);
    });

  for (const offline of [{ blocked: true }, { enabled: false }])
    it(`an offline lead receives no email if the setting \`offline\` is ${JSON.stringify(offline)}`, async () => {
      await fixture.set(`${CONVERSATION_MAILS}.offline`, offline);
      const { postMessage, lead } = await fixture.openConversation();
      await postMessage(fixture.agent, 'On its way');
      expect(await fixture.subjects(lead)).to.deep.equal([]);
    });
});

describe('Emails sent by a teammate', () => {
  let fixture: ProjectWithMailbox;

  beforeEach(async () => {
    fixture = await aProjectWithMailbox();
  });
  afterEach(() => fixture.mailbox.close());

  it('POST …/email/send sends an email to the lead of the conversation', async () => {
    const { openConversation, subjects, latest, agent } = fixture;
    const { one, lead } = await openConversation();
    const written = { text: 'Dear Vera,\n\nbye', subject: 'Your\r\nBcc: all@x.org order', replyto: 'us@x.org' };
    const { body } = await api(agent).post(`${one}/email/send`, written);
    expect(body).to.deep.equal({ queued: true });
    expect(await subjects(lead)).to.deep.equal(['Your Bcc: all@x.org order']);
    expect(await latest(lead))
      .to.include('Reply-To: us@x.org')
      .and.include('Dear Vera,\r\n\r\nbye');
    expect((await api(agent).post(`${fixture.root}/unknown/email/send`, { text: 'Hi' })).status).to.equal(404);
  });

  it('POST …/email/send returns `no queued` if the lead has no email address', async () => {
    const { one } = await fixture.openConversation({ email: null });
    const { body } = await api(fixture.agent).post(`${one}/email/send`, { text: 'Hi' });
    expect(body).to.deep.equal({ 'no queued': true }); // deployed clients read this name
  });

  it('POST …/emails/internal/send sends an email to an address, to the members of a group, or to owners and admins', async () => {
    const { subjects, agent, owner, admin, project } = fixture;
    const path = `/v3/${project.id}/emails/internal/send`;
    const send = (to: string, more = {}) => api(agent).post(path, { to, subject: `to ${to}`, text: 'Hello', ...more });
    await api(owner).post(`/v3/${project.id}/groups`, { name: 'Sales', members: [agent.id] });
    for (const to of ['Ann@example.com', 'Sales', '@all'])
      expect((await send(to)).body).to.deep.equal({ queued: true });
    expect(await subjects('Ann@example.com')).to.deep.equal(['to Ann@example.com']);
    expect(await subjects(agent.email)).to.deep.equal(['to Sales']);
    for (const { email } of [owner, admin]) expect(await subjects(email)).to.deep.equal(['to @all']);
    expect((await send('Nobody')).status).to.equal(422);
    expect((await send('a@x.org', { request_id: 'unknown' })).status).to.equal(404);
    expect((await send('a@x.org', { replyto: 'x' })).status).to.equal(422);
  });
});
