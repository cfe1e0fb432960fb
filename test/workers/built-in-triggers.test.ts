/** The built-in triggers, and custom events that name conversations. */
import { expect } from 'chai';
import { Department } from '#shared/models/department.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aProject } from '../support/people.ts';
import { aTrigger, runsOf, runTriggers } from '../support/triggers.ts';

/** A project whose visitor emits a custom event. */
const emitAs = async (attributes: object, name = 'event.emit.new_conversation') => {
  const fixture = await aProject();
  const emit = (more = attributes, as = fixture.guest) =>
    api(as).post(`/v3/${fixture.project.id}/events`, { name, attributes: more });
  const read = async (request_id: string) =>
    (await api(fixture.owner).get(`/v3/${fixture.project.id}/requests/${request_id}`)).body;
  const messages = async (request_id: string) =>
    (await api(fixture.owner).get(`/v3/${fixture.project.id}/requests/${request_id}/messages`)).body;
  await emit();
  return { ...fixture, id: fixture.project.id, emit, read, messages };
};

describe('Built-in triggers', () => {
  it('the event new_conversation opens a temporary conversation for the visitor, who is greeted in their language', async () => {
    const { id, guest, read, messages } = await emitAs({ request_id: 'chat-1', language: 'it', fullname: 'Ann' });
    await runTriggers(id);
    const request = await read('chat-1');
    expect(request).to.include({ status: 50, preflight: true, first_text: 'welcome', language: 'it' });
    expect(request.lead).to.include({ lead_id: guest.id, fullname: 'Ann' });
    const [first, greeting, ...others] = await messages('chat-1');
    expect(first).to.include({ sender: guest.id, text: 'welcome' });
    expect(greeting).to.include({ sender: 'system' });
    expect(greeting.text).to.equal('Dicci che cosa ti serve, ti rispondiamo presto');
    expect(others).to.deep.equal([]);
  });

  it('the greeting depends on available agents and operating hours; in a department with a bot, the bot joins and no greeting is sent', async () => {
    const { id, owner, emit, messages, read } = await emitAs({ request_id: 'online' });
    await runTriggers(id);
    await ProjectUser.updateMany({ id_project: id }, { $set: { user_available: false } });
    await emit({ request_id: 'offline' });
    await runTriggers(id);
    const closed = JSON.stringify({ tzname: 'UTC', 0: [], 1: [], 2: [], 3: [], 4: [], 5: [], 6: [] });
    await api(owner).put(`/v3/projects/${id}`, { activeOperatingHours: true, operatingHours: closed });
    await emit({ request_id: 'closed' });
    await runTriggers(id);
    const bot = (await aBot(id)).id;
    await Department.updateOne({ id_project: id, default: true }, { $set: { id_bot: bot } });
    await emit({ request_id: 'bot' });
    await runTriggers(id);
    const last = async (request_id: string) => (await messages(request_id)).at(-1).text;
    expect(await last('offline')).to.match(/^Nobody is here/);
    expect(await last('online')).to.match(/^Tell us what you need/);
    expect(await last('closed')).to.match(/^We are closed/);
    expect(await read('bot')).to.deep.include({ participantsBots: [bot], preflight: true });
    expect(await messages('bot')).to.have.length(1);
  });

  it('an event from a visitor neither changes nor answers the conversation of another visitor', async () => {
    const { id, admin, project, emit, messages, owner } = await emitAs({});
    const own = await aTrigger({ project, admin }, { key: 'event.emit', actions: [['request.close']] });
    await api(owner).post(`/v3/${id}/requests`, { first_text: 'Secret', request_id: 'foreign' });
    await emit({ request_id: 'foreign' });
    await runTriggers(id);
    expect(await messages('foreign')).to.have.length(0);
    const runs = (await runsOf(id)).filter(
      ({ trigger, conversation }) => trigger === own && conversation === 'foreign',
    );
    expect(runs.map(({ failures }) => failures?.[0].message)).to.deep.equal([
      'request_id: the conversation and the event belong to different visitors',
    ]);
  });

  it('a conversation that the visitor has already opened is not changed by the event new_conversation', async () => {
    const { id, guest, read, messages, emit } = await emitAs({});
    await api(guest).post(`/v3/${id}/requests/mine/messages`, { text: 'Hello' });
    await emit({ request_id: 'mine' });
    await runTriggers(id);
    expect(await read('mine')).to.include({ preflight: false, first_text: 'Hello' });
    expect(await messages('mine')).to.have.length(1);
  });
});
