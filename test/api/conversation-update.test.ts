/** Updates to individual fields of a conversation: PATCH, attributes, rating. */
import { expect } from 'chai';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aVisitor } from '../support/people.ts';

const loadOf = async (id_project: string, id_user: string): Promise<number> => {
  const member = await ProjectUser.findOne({ id_project, id_user }).lean();
  return member?.number_assigned_requests ?? 0;
};

describe('PATCH of a conversation', () => {
  it('PATCH sets the given fields of a conversation, skips null fields and most empty ones, and emits the update events', async () => {
    const { owner, one, newEvents } = await aConversation();
    await newEvents();
    const fields = {
      ...{ first_text: 'Where is my parcel?', subject: 'Parcel', sourcePage: 'https://shop.example', language: 'it' },
      ...{ priority: 'high', location: { country: 'Italy' }, smartAssignment: false, workingStatus: '', rating: 0 },
    };
    const { body } = await api(owner).patch(`${one}/`, { ...fields, channelName: 'whatsapp', rating_message: null });
    expect(body).to.deep.include({ ...fields, channel: { name: 'whatsapp' } });
    expect(await newEvents()).to.deep.equal([
      'request.update',
      'request.updated',
      'request.workingStatus.update',
      'request.satisfaction',
    ]);
    const empty = { first_text: '', subject: null, language: '', priority: '', workingStatus: null, lead: '' };
    expect((await api(owner).patch(one, empty)).body).to.deep.equal(body);
    expect(await newEvents()).to.deep.equal([]);
  });

  it("PATCH sets any of the five statuses without closing or reopening the conversation, and updates the agent's load", async () => {
    const { owner, one, project, read, newEvents, messages } = await aConversation();
    const [teammate] = (await read()).participants;
    await newEvents();
    for (const status of [50, 150, 1000, 100, 200]) {
      const { body } = await api(owner).patch(one, { status });
      expect(body).to.include({ status }).and.not.have.any.keys('closed_at', 'closed_by');
      expect(await loadOf(project.id, teammate)).to.equal(status < 1000 ? 1 : 0);
      expect(await newEvents()).to.deep.equal(['request.update', 'request.updated']);
    }
    expect(await messages()).to.have.length(1);
    for (const status of [0, 300, 1001, 'open'])
      expect((await api(owner).patch(one, { status })).body.errors[0], String(status)).to.include({ path: 'status' });
  });

  it("a conversation with workingStatus pending does not count towards its agent's load", async () => {
    const { owner, one, project, read } = await aConversation();
    const [teammate] = (await read()).participants;
    await api(owner).patch(one, { workingStatus: 'pending' });
    expect(await loadOf(project.id, teammate)).to.equal(0);
    await api(owner).patch(one, { workingStatus: 'open' });
    expect(await loadOf(project.id, teammate)).to.equal(1);
  });

  it('PATCH with tags replaces all tags in the given order, and a tag whose name remains keeps its id', async () => {
    const { agent, one } = await aConversation();
    const tagConversation = async (tags: object[]) => (await api(agent).patch(one, { tags })).body.tags;
    const [vip, late] = await tagConversation([{ tag: 'vip', color: '#f00' }, { tag: 'late' }]);
    expect(vip).to.include({ tag: 'vip', color: '#f00' });
    expect(await tagConversation([{ tag: 'new' }, { tag: 'late' }, { tag: 'late' }])).to.have.length(2);
    expect((await tagConversation([{ tag: 'late', color: '#0f0' }]))[0]).to.deep.equal({ ...late, color: '#0f0' });
    expect(await tagConversation([])).to.deep.equal([]);
    expect((await api(agent).patch(one, { tags: [{ color: '#f00' }] })).status).to.equal(422);
  });

  it('PATCH with notes replaces all notes, and a note that remains keeps its author', async () => {
    const { owner, admin, agent, one } = await aConversation();
    const first = await api(owner).post(`${one}/notes`, { text: 'Call back' });
    const [note] = first.body.notes;
    const { body } = await api(admin).patch(one, { notes: [{ ...note, text: 'Called' }, { text: 'Sent' }] });
    expect(body.notes.map(({ text, createdBy }: Record<string, string>) => [text, createdBy])).to.deep.equal([
      ['Called', owner.id],
      ['Sent', admin.id],
    ]);
    expect(body.notes[0]).to.include({ _id: note._id, createdAt: note.createdAt });
    expect((await api(agent).patch(one, { notes: [] })).status).to.equal(403);
  });

  it('PATCH moves a conversation to another lead of the same project and returns 404 for an unknown lead or one of another project', async () => {
    const { owner, guest, one, project } = await aConversation();
    const visitor = await aVisitor(project.id);
    const other = await api(visitor).post(`/v3/${project.id}/requests/other/messages`, { text: 'Hi' });
    const { lead } = other.body.request;
    const { body } = await api(owner).patch(one, { lead: lead._id });
    expect(body).to.include({ requester_id: lead._id });
    expect(body.lead).to.include(lead);
    const readOwn = async (caller: typeof guest) => (await api(caller).get(`/v3/${project.id}/requests/me`)).body.count;
    expect([await readOwn(guest), await readOwn(visitor)]).to.deep.equal([0, 2]);
    const otherConversation = await aConversation();
    const foreign = (await otherConversation.read()).lead._id;
    for (const unknown of [foreign, 'nobody'])
      expect((await api(owner).patch(one, { lead: unknown })).status).to.equal(404);
  });

  it('PATCH of a conversation returns 403 to visitors and 404 for an unknown conversation', async () => {
    const { guest, owner, one, root } = await aConversation();
    expect((await api(guest).patch(one, { status: 1000 })).status).to.equal(403);
    expect((await api(owner).patch(`${root}/unknown`, { subject: 'x' })).status).to.equal(404);
  });
});

describe('Attributes of a conversation', () => {
  it('PATCH attributes replaces the given keys, keeps the others, and emits request.attributes.update', async () => {
    const { agent, one, newEvents } = await aConversation({
      text: 'Hi',
      attributes: { color: 'red', size: { width: 1 } },
    });
    await newEvents();
    const merged = await api(agent).patch(`${one}/attributes`, { size: { height: 2 }, done: true });
    expect(merged.body.attributes).to.deep.include({ color: 'red', size: { height: 2 }, done: true });
    expect(await newEvents()).to.deep.equal(['request.update', 'request.updated', 'request.attributes.update']);
    expect((await api(agent).patch(`${one}/attributes`, {})).body).to.deep.equal(merged.body);
    expect(await newEvents()).to.deep.equal([]);
  });

  it('PATCH attributes ignores reserved keys', async () => {
    const { agent, one, read } = await aConversation();
    const before = await read();
    for (const reserved of [{ last_message: {} }, { abandoned_by_project_users: {} }, { fully_abandoned: false }])
      expect((await api(agent).patch(`${one}/attributes`, reserved)).status).to.equal(200);
    expect((await read()).attributes).to.deep.equal(before.attributes);
  });

  it('PATCH attributes returns 422 for keys that are empty, contain a dot or begin with $, and for attributes over the size limit', async () => {
    const { agent, one, read } = await aConversation();
    const refused = [{ big: 'x'.repeat(100_000) }, { 'a.b': 1 }, { $set: 1 }, { '': 1 }];
    const before = await read();
    for (const body of refused) expect((await api(agent).patch(`${one}/attributes`, body)).status).to.equal(422);
    expect((await api(agent).patch(`${one}/attributes`, { half: 'x'.repeat(60_000) })).status).to.equal(200);
    expect((await api(agent).patch(`${one}/attributes`, { more: 'x'.repeat(60_000) })).status).to.equal(422);
    expect((await read()).attributes)
      .to.include.keys(...Object.keys(before.attributes), 'half')
      .and.not.have.key('more');
  });
});

describe('Conversation rating', () => {
  it('a visitor can rate a conversation with `rating` or `rate`, and receives only the fields visible to visitors', async () => {
    const { guest, one, read, newEvents } = await aConversation();
    await newEvents();
    const { body } = await api(guest).patch(`${one}/rating`, { rating: 4, rating_message: 'Quick' });
    expect(body).to.include({ rating: 4, rating_message: 'Quick' }).and.not.have.any.keys('notes', 'attributes');
    expect(await newEvents()).to.include('request.satisfaction');
    expect((await api(guest).patch(`${one}/rating`, { rate: 0, rate_message: 'Slow' })).status).to.equal(200);
    expect(await read()).to.include({ rating: 0, rating_message: 'Slow' });
    for (const rating of [-1, 5.5, 6, 'good'])
      expect((await api(guest).patch(`${one}/rating`, { rating })).status, String(rating)).to.equal(422);
  });

  it("rating another person's conversation returns 404 in the same project, and 403 in another project", async () => {
    const { owner, one, project } = await aConversation();
    const otherVisitor = await aVisitor(project.id);
    const { guest: foreign } = await aProject();
    expect((await api(otherVisitor).patch(`${one}/rating`, { rating: 1 })).status).to.equal(404);
    expect((await api(owner).patch(`${one}/rating`, { rating: 1 })).status).to.equal(404);
    expect((await api(foreign).patch(`${one}/rating`, { rating: 1 })).status).to.equal(403);
  });
});
