/** Contract b 2.9 and 2.7: who is written to when, and who has switched that off. */
import { expect } from 'chai';
import { asOneEffect } from '#shared/context.ts';
import { writeOn } from '#shared/domain/mails/news.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { logged } from '../support/changes.ts';
import { aMailedProject, type Mailed } from '../support/mailed.ts';
import type { Person } from '../support/people.ts';

const CONVERSATION = 'email.notification.conversation';

describe('Mails on conversations', () => {
  let world: Mailed;

  beforeEach(async () => {
    world = await aMailedProject();
  });
  afterEach(() => world.mailbox.close());

  const away = () => world.available(false);
  const membershipOf = async ({ id }: Person) =>
    String((await ProjectUser.findOne({ id_project: world.project.id, id_user: id }).orFail().lean())._id);

  it('tell a teammate that a conversation was given to it, and nobody else', async () => {
    const { begun, subjects, latest, agent, owner } = world;
    await begun();
    const [subject] = await subjects(agent.email);
    expect(subject).to.match(/^\[Project\] #1 A conversation is yours: Where is my order\?/);
    expect(await latest(agent.email))
      .to.include('> Where is my order?')
      .and.include('Vera');
    expect(await subjects(owner.email)).to.deep.equal([]);
  });

  it('tell all who could take it that somebody waits, once in three days', async () => {
    const { begun, subjects, agent, owner, admin } = world;
    await away();
    const { one } = await begun();
    await api(owner).put(`${one}/participants`, []);
    for (const { email } of [agent, owner, admin])
      expect(await subjects(email)).to.deep.equal(['[Project] #1 Somebody waits for an answer: Where is my order?']);
  });

  it('wait until the visitor has really written', async () => {
    const { begun, subjects, agent, guest } = world;
    const hidden = { text: 'welcome', preflight: true, request_status: 50 };
    const { say } = await begun(hidden);
    expect(await subjects(agent.email)).to.deep.equal([]);
    await say(guest, 'Where is my order?');
    expect(await subjects(agent.email)).to.deep.equal(['[Project] #1 A conversation is yours: Where is my order?']);
    await away();
    await (await begun(hidden)).say(guest, 'And the other one?');
    expect(await subjects(agent.email)).to.include('[Project] #2 Somebody waits for an answer: And the other one?');
  });

  it('are written once though an event is heard twice (F1)', async () => {
    const { begun, subjects, agent, project } = world;
    await begun();
    await subjects(agent.email);
    const created = (await logged(project.id)).find(({ event }) => event === 'request.create');
    const { _id: id, event = '', record = '', position = '' } = created ?? {};
    const ref = { id_project: project.id, event, id: String(id), record: String(record), position };
    for (const _ of [1, 2]) await asOneEffect(`events.write-mails ${id}`, () => writeOn(ref));
    expect(await subjects(agent.email)).to.have.lengthOf(1);
  });

  it('tell who is added later, but not again who was there', async () => {
    const { begun, subjects, agent, admin } = world;
    const { one } = await begun();
    await api(world.owner).post(`${one}/participants`, { member: admin.id });
    expect(await subjects(agent.email)).to.have.lengthOf(1);
    await api(world.owner).put(`${one}/participants`, [admin.id]);
    await api(world.owner).put(`${one}/participants`, [agent.id]);
    expect(await subjects(agent.email)).to.have.lengthOf(2);
  });

  it('reach a lead that is not here with what a teammate writes, and no other words', async () => {
    const { begun, subjects, latest, agent, guest, set, project } = world;
    const { say, lead, one } = await begun();
    await say(agent, 'On its way\n.');
    await say(agent, 'between us', { attributes: { subtype: 'private' } });
    await say(agent, 'joined', { attributes: { subtype: 'info' } });
    await say(guest, 'Thank you');
    expect(await subjects(lead)).to.deep.equal(['[Project] #1 An answer for you: Where is my order?']);
    expect(await latest(lead)).to.include('> On its way\r\n> .');
    await ProjectUser.updateOne(
      { id_project: project.id, uuid_user: guest.id },
      { $set: { presence: { status: 'online', changedAt: new Date() } } },
    );
    await say(agent, 'You see this');
    expect(await subjects(lead)).to.have.lengthOf(1);
    await set(`${CONVERSATION}.offline`, { enabled: false });
    expect((await api(agent).put(`${one}/close`, {})).status).to.equal(200);
    expect(await subjects(lead)).to.have.lengthOf(1);
  });

  it('carry a conversation that is led by mail both ways', async () => {
    const { begun, subjects, latest, texts, agent, guest } = world;
    const { say, lead, one } = await begun({ channel: { name: 'email' }, subject: 'My order' });
    await api(world.owner).put(`${one}/participants`, [agent.id]);
    await say(agent, 'On its way');
    await say(agent, 'hush', { attributes: { subtype: 'private' } });
    await say(guest, 'And now?');
    expect(await subjects(lead)).to.deep.equal(['Re: My order [#1]']);
    expect(await latest(lead)).to.include('On its way');
    expect(await subjects(agent.email)).to.include('[Project] #1 New message: My order');
    expect(await texts(agent.email)).to.include('> And now?');
  });

  it('reach followers, of what others write', async () => {
    const { begun, subjects, agent, admin } = world;
    const { say } = await begun({ followers: [await membershipOf(admin)] });
    await say(agent, 'On its way');
    await say(admin, 'I am with you');
    expect(await subjects(admin.email)).to.have.lengthOf(2); // the visitor's first words, and the agent's
  });

  it('send what was said to the lead and to who lead the project, where the project wants that', async () => {
    const { begun, subjects, latest, agent, owner, admin, set } = world;
    await set('email', { autoSendTranscriptToRequester: true, notification: { conversation: { assigned: false } } });
    const { say, lead, one, request } = await begun();
    await api(agent).put(`/v3/${world.project.id}/leads/${request.lead._id}`, { email: lead }); // it is known to be right
    await say(agent, 'between us', { attributes: { subtype: 'private' } });
    await api(agent).put(`${one}/close`, {});
    for (const email of [lead, owner.email, admin.email])
      expect((await subjects(email)).at(-1)).to.equal('[Project] #1 What was said: Where is my order?');
    expect(await subjects(agent.email)).to.deep.equal([]);
    expect(await latest(lead))
      .to.include('Vera: Where is my order?')
      .and.not.include('between us');
  });

  const off: [string, boolean, boolean?][] = [
    [`${CONVERSATION}.blocked`, true],
    [`${CONVERSATION}.assigned`, false],
    [`${CONVERSATION}.assigned.toyou`, false, true],
  ];
  for (const [path, value, own] of off)
    it(`are not written to who is given a conversation with \`${path}\` ${value} of the ${own ? 'teammate' : 'project'}`, async () => {
      await world.set(path, value, own ? world.agent : undefined);
      await world.begun();
      expect(await world.subjects(world.agent.email)).to.deep.equal([]);
    });

  const pooled: [string, boolean, boolean?][] = [
    [`${CONVERSATION}.blocked`, true],
    [`${CONVERSATION}.pooled`, false],
    [`${CONVERSATION}.pooled`, false, true],
  ];
  for (const [path, value, own] of pooled)
    it(`are not written to who could take one with \`${path}\` ${value} of the ${own ? 'teammate' : 'project'}`, async () => {
      await world.set(path, value, own ? world.agent : undefined);
      await away();
      await world.begun();
      expect(await world.subjects(world.agent.email)).to.deep.equal([]);
    });

  for (const offline of [{ blocked: true }, { enabled: false }])
    it(`are not written to a lead that is away with \`offline\` ${JSON.stringify(offline)}`, async () => {
      await world.set(`${CONVERSATION}.offline`, offline);
      const { say, lead } = await world.begun();
      await say(world.agent, 'On its way');
      expect(await world.subjects(lead)).to.deep.equal([]);
    });
});

describe('Mails by hand', () => {
  let world: Mailed;

  beforeEach(async () => {
    world = await aMailedProject();
  });
  afterEach(() => world.mailbox.close());

  it('reach the lead of a conversation', async () => {
    const { begun, subjects, latest, agent } = world;
    const { one, lead } = await begun();
    const written = { text: 'Dear Vera,\n\nbye', subject: 'Your\r\nBcc: all@x.org order', replyto: 'us@x.org' };
    const { body } = await api(agent).post(`${one}/email/send`, written);
    expect(body).to.deep.equal({ queued: true });
    expect(await subjects(lead)).to.deep.equal(['Your Bcc: all@x.org order']);
    expect(await latest(lead))
      .to.include('Reply-To: us@x.org')
      .and.include('Dear Vera,\r\n\r\nbye');
    expect((await api(agent).post(`${world.root}/unknown/email/send`, { text: 'Hi' })).status).to.equal(404);
  });

  it('tell where the lead has no e-mail', async () => {
    const { one } = await world.begun({ email: null });
    const { body } = await api(world.agent).post(`${one}/email/send`, { text: 'Hi' });
    expect(body).to.deep.equal({ 'no queued': true });
  });

  it('reach an address, the members of a group, and who lead the project', async () => {
    const { subjects, agent, owner, admin, project } = world;
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
